from __future__ import annotations

from carry.pull_request import template

from .small_upstream import TEMPLATE


def test_headings_are_those_that_show() -> None:
    hidden = TEMPLATE.replace("One line", "## Hidden")
    assert template.headings(hidden) == ["## What", "## Shown by", "## More"]
    assert template.name("## Shown by") == "Shown by"


def test_texts_go_below_their_headings_and_the_rest_stays() -> None:
    filled = template.fill(TEMPLATE, {"What": "This.", "More": "a\n\n\n\nb"}, [])
    assert (
        filled
        == """\
## What

This.

## Shown by

## More

a

b

---

- [ ] I used a robot.
- [ ] **Tests:** They ran. All of them.

Read the guide.
"""
    )


def test_boxes_are_ticked_by_how_they_begin() -> None:
    assert template.unticked(TEMPLATE) == ["I used a robot.", "Tests"]
    filled = template.fill(TEMPLATE, {}, ["**Tests", "used a robot"])
    assert "- [x] **Tests:** They ran. All of them." in filled
    assert template.unticked(filled) == ["I used a robot."]
    assert template.unticked("- [ ] (Optional) A page in the docs.") == []


def test_a_template_without_headings_is_kept() -> None:
    assert template.headings("Say it.\n") == []
    assert template.fill("Say it.\r\n", {}, []) == "Say it.\n"
