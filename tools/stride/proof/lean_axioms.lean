import Lean

/-! Follows each theorem down to what is taken for granted. The imports and the questions are added
by `axioms.py`. Plain recursion only, as Lean in WebAssembly cannot run much else. -/

open Lean Elab Command

def spell : Name → String
  | .anonymous => ""
  | .str .anonymous part => part
  | .str rest part => spell rest ++ "." ++ part
  | .num rest part => spell rest ++ "." ++ Nat.repr part

def home (env : Environment) (name : Name) : String :=
  match env.getModuleIdxFor? name with
  | none => "?"
  | some index =>
    match env.header.moduleNames[index.toNat]? with
    | none => "?"
    | some module => spell module

def onto : List Name → List Name → List Name
  | [], rest => rest
  | name :: names, rest => onto names (name :: rest)

def used (value type : Expr) (rest : List Name) : List Name :=
  onto value.getUsedConstants.toList (onto type.getUsedConstants.toList rest)

/-- The constants without a proof or a definition that the listed ones need. -/
def granted (env : Environment) : Nat → List Name → NameSet → String → String
  | 0, _, _, _ => "too many constants"
  | _, [], _, found => found
  | fuel + 1, name :: rest, seen, found =>
    if seen.contains name then granted env fuel rest seen found
    else
      let seen := seen.insert name
      match env.find? name with
      | some (.thmInfo it) => granted env fuel (used it.value it.type rest) seen found
      | some (.defnInfo it) => granted env fuel (used it.value it.type rest) seen found
      | some (.opaqueInfo it) => granted env fuel (used it.value it.type rest) seen found
      | some (.axiomInfo it) =>
        granted env fuel (onto it.type.getUsedConstants.toList rest) seen
          (found ++ " " ++ spell name ++ "@" ++ home env name)
      | some it => granted env fuel (onto it.type.getUsedConstants.toList rest) seen found
      | none => found ++ " missing " ++ spell name

def answer (name : Name) : CommandElabM String := do
  let env ← getEnv
  return "granted " ++ spell name ++ ":" ++ granted env 1000000 [name] {} ""

#eval "version " ++ Lean.versionString
