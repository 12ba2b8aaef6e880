"""The rules: operator -> the roles of its dimensions. One file a family; `RULES` is all of them."""

from workers.spreading.configs.rules.attention import ATTENTION
from workers.spreading.configs.rules.convolution import CONVOLUTIONS
from workers.spreading.configs.rules.lookup import LOOKUPS
from workers.spreading.configs.rules.loss import LOSSES
from workers.spreading.configs.rules.norm import NORMS
from workers.spreading.configs.rules.pointwise import POINTWISE
from workers.spreading.configs.rules.product import PRODUCTS
from workers.spreading.configs.rules.recurrent import RECURRENT
from workers.spreading.configs.rules.reduction import REDUCTIONS
from workers.spreading.configs.rules.rule import Rule
from workers.spreading.configs.rules.view import VIEWS

RULES: dict[str, Rule] = {
    **PRODUCTS,
    **CONVOLUTIONS,
    **LOOKUPS,
    **NORMS,
    **LOSSES,
    **ATTENTION,
    **RECURRENT,
    **REDUCTIONS,
    **VIEWS,
    **POINTWISE,
}
