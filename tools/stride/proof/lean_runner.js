// Runs Lean compiled to WebAssembly: node lean_runner.js LEAN.JS LIBRARY WORKSPACE ARGUMENT…
//
// Lean sees two folders and nothing else of the machine: its library at /lean/library and the
// workspace at /workspace, which is its current folder.
"use strict";
const fs = require("fs");
const path = require("path");
const vm = require("vm");

const [script, library, workspace, ...args] = process.argv.slice(2);
process.argv = [process.argv[0], script, ...args];
// Lean's own start-up code would mount all of /home and /tmp where it knows that this is Node.js.
Object.defineProperty(process, "release", { value: {} });

function mount(FS, NODEFS, root, at) {
  FS.mkdirTree(at);
  FS.mount(NODEFS, { root }, at);
}

function prepare() {
  const { FS, ENV } = globalThis.Module;
  mount(FS, FS.filesystems.NODEFS, library, "/lean/library");
  mount(FS, FS.filesystems.NODEFS, workspace, "/workspace");
  ENV.LEAN_PATH = "/lean/library:/workspace/build";
  // This Lean is built to count its own coverage, and would leave a file of it in the workspace.
  ENV.LLVM_PROFILE_FILE = "/dev/null";
}

// lean.js is written for a script tag: it looks for a global Module and declares its names globally.
Object.assign(globalThis, {
  require,
  __filename: script,
  __dirname: path.dirname(script),
  Module: { preRun: [prepare] },
});
vm.runInThisContext(fs.readFileSync(script, "utf8"), { filename: script });
