from __future__ import annotations

from hashlib import sha256

from carry import fingerprints

SOURCE = """\
import os


class Outer:
    @staticmethod
    def method(x):
        return x

    class Inner:
        def method(self):
            def nested():
                return 1
            return nested()


async def free():
    pass
"""


def test_functions_are_named_by_their_classes_and_begin_at_the_decorator() -> None:
    found = fingerprints.functions(SOURCE)
    assert list(found) == ["Outer.method", "Outer.Inner.method", "free"]
    assert found["Outer.method"] == "    @staticmethod\n    def method(x):\n        return x\n"
    assert found["free"] == "async def free():\n    pass\n"


def test_touched_names_changed_and_removed_functions_only() -> None:
    changed = SOURCE.replace("return 1", "return 2").replace("import os", "import sys")
    assert fingerprints.touched(SOURCE, changed) == ["Outer.Inner.method"]
    assert fingerprints.touched(SOURCE, changed + "\n\ndef added(): ...\n") == [
        "Outer.Inner.method"
    ]
    assert fingerprints.touched(SOURCE, SOURCE.split("async")[0]) == ["free"]


def test_text_that_does_not_parse_has_no_functions() -> None:
    assert fingerprints.functions("def broken(:\n") == {}


def test_fingerprint_is_the_hash_of_the_text() -> None:
    text = fingerprints.functions(SOURCE)["free"]
    assert fingerprints.fingerprint(text) == "sha256:" + sha256(text.encode()).hexdigest()
    assert fingerprints.fingerprint(text) != fingerprints.fingerprint(text + " ")
