"""Loop nests: how few loops an expression needs, and where its operands are."""

from __future__ import annotations

from workers.compiler.codegen.loops import Axes, View, array, contiguous, nest, reduction


def assign(target: View, *operands: View) -> list[str]:
    def statement(axes: Axes) -> str:
        return f"{axes.at(target)} = {' + '.join(axes.at(v) for v in operands)};"

    return nest(target.shape, statement)


def test_operands_that_move_together_need_one_loop() -> None:
    lines = assign(array("y", (4, 8)), array("a", (4, 8)), array("b", (4, 8)))
    assert lines == [
        "#pragma omp simd",
        "for (int i0 = 0; i0 < 32; ++i0) {",
        "  y[i0] = a[i0] + b[i0];",
        "}",
    ]


def test_an_operand_that_stands_still_along_an_axis_splits_the_loop() -> None:
    lines = assign(array("y", (4, 8)), array("a", (4, 8)), array("w", (4, 1)))
    assert lines[0] == "for (int i0 = 0; i0 < 4; ++i0) {"
    assert lines[3] == "    y[8 * i0 + i1] = a[8 * i0 + i1] + w[i0];"


def test_operands_line_up_at_the_last_axis() -> None:
    assert (
        "y[8 * i0 + i1] = a[8 * i0 + i1] + b[i1];"
        in assign(array("y", (4, 8)), array("a", (4, 8)), array("b", (8,)))[3]
    )


def test_single_numbers_need_no_loop() -> None:
    one = View("s", (1, 1), (0, 0), scalar=True)
    assert assign(one, array("a", (1, 1)), one) == ["s = a[0] + s;"]


def test_slices_move_the_start() -> None:
    assert array("a", (2, 8)).sliced(3, 5) == View("a", (2, 2), (8, 1), 3)
    assert assign(array("y", (2,)), array("a", (8,)).sliced(3, 5))[1] == "  y[i0] = a[i0 + 3];"


def test_strides_of_size_one_axes_are_zero() -> None:
    assert contiguous((3, 1, 4)) == (4, 0, 1)
    assert array("a", (3, 1)).expanded((2, 3, 5)).strides == (0, 1, 0)


def test_a_sum_over_the_last_axis_is_a_vector_reduction() -> None:
    lines = reduction((40, 8), array("s", (40, 1)), lambda axes: axes.at(array("a", (40, 8))))
    assert lines == [
        "for (int i0 = 0; i0 < 40; ++i0) {",
        "  T sum = 0;",
        "  #pragma omp simd reduction(+ : sum)",
        "  for (int i1 = 0; i1 < 8; ++i1) sum += a[8 * i0 + i1];",
        "  s[i0] += sum;",
        "}",
    ]


def test_a_few_sums_stand_one_after_another() -> None:
    lines = reduction((2, 8), array("s", (2, 1)), lambda axes: axes.at(array("a", (2, 8))))
    assert lines[:3] == ["{", "  constexpr int i0 = 0;", "  T sum = 0;"]
    assert lines.count("  s[i0] += sum;") == 2


def test_a_sum_over_the_first_axis_adds_rows() -> None:
    lines = reduction((4, 8), array("s", (8,)), lambda axes: axes.at(array("a", (4, 8))))
    assert "    s[i1] += a[8 * i0 + i1];" in lines
