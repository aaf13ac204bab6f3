"""`icefire theory`: what hiding people among others will cost, before doing it."""

from __future__ import annotations

from pathlib import Path

import click

from icefire.cli.options import format_option, json_option
from icefire.cli.output import number, print_figures, print_json
from icefire.cli.speech import SpokenGroup
from icefire.core.errors import InputError
from icefire.core.registry import Registry

MODELS = {
    "E2": "the same with items as popular as they are (E2)",
    "E3": "with items and customers as they are (E3)",
    "E4": "with customers who have as many records as they have (E4)",
}


@click.group(cls=SpokenGroup)
def theory() -> None:
    """Cost models of dummy records in purchase histories."""


@theory.command()
@click.option("--n", "users", type=click.IntRange(min=1), help="Customers.")
@click.option("--m", "records", type=click.IntRange(min=0), help="Records.")
@click.option("--l", "items", type=click.IntRange(min=2), help="Different items.")
@click.option("--c", "clusters", type=click.IntRange(min=1), required=True, help="Clusters of customers to look alike.")
@click.option(
    "--in",
    "source",
    type=click.Path(path_type=Path),
    help="Folder of a history to take these numbers from.",
)
@format_option
@json_option
@click.pass_obj
def dummies(
    registry: Registry,
    users: int | None,
    records: int | None,
    items: int | None,
    clusters: int,
    source: Path | None,
    form: str | None,
    as_json: bool,
) -> None:
    """Expected number of dummy records that make the customers of each cluster look alike.

    With --in, also for items and customers as they are (E2, E3, E4), in place of equally likely items and equal customers.
    """
    from icefire.history.theory.dummies import expected_dummies, records_of_most_dummies

    models: dict[str, float] = {}
    if source is not None:
        from icefire.history.theory.fitted import Fitted

        if not users is records is items is None:
            raise InputError("--in says how many customers, records and items there are: leave --n, --m and --l out")
        fitted = Fitted.of(registry.format("history", form).read_original(source))
        users, records, items, models = fitted.users, fitted.records, fitted.items, fitted.dummies(clusters)
    if users is None or records is None or items is None:
        raise InputError("how many customers, records and items? Give --n, --m and --l, or a folder with --in")
    expected = expected_dummies(users, records, items, clusters)
    worst = records_of_most_dummies(users, items, clusters)
    if as_json:
        risk = clusters / users
        document = {"dummies": expected, "re_identification": risk, "records_of_most_dummies": worst}
        print_json(document | ({"models": models} if models else {}))
        return
    rows = [
        ("dummy records", number(expected)),
        *((MODELS[name], number(value)) for name, value in models.items() if name in MODELS),
        ("for each real record", number(expected / records) if records else "-"),
        ("expected re-identification", number(clusters / users)),
        ("records at which most dummies are needed", number(float(worst))),
    ]
    title = f"{users:,} customers, {records:,} records, {items:,} items, {clusters:,} clusters"
    print_figures(title, rows)


@theory.command()
@click.option("--x", "records", type=click.IntRange(min=0), required=True, help="Records of a customer.")
@click.option("--l", "items", type=click.IntRange(min=1), required=True, help="Different items, equally likely.")
@json_option
def distinct(records: int, items: int, as_json: bool) -> None:
    """How many different items a customer with so many records has."""
    from icefire.history.theory.distinct import distinct_distribution, expected_distinct

    distribution = distinct_distribution(records, items)
    mean, mode = expected_distinct(records, items), int(distribution.argmax())
    if as_json:
        print_json({"mean": mean, "mode": mode, "distribution": distribution.tolist()})
        return
    rows = [
        ("mean", number(mean)),
        ("most likely", number(float(mode))),
        ("its probability", number(float(distribution[mode]))),
    ]
    print_figures(f"Different items among {records:,} records of {items:,} items", rows)


@theory.command()
@click.option("--n", "users", type=click.IntRange(min=2), required=True, help="Customers.")
@click.option(
    "--b", "items", type=click.FloatRange(min=0, min_open=True), required=True, help="Different items of a customer."
)
@click.option(
    "--mu", "jaccard", type=click.FloatRange(0, 1), required=True, help="Mean Jaccard similarity of two customers."
)
@json_option
def clusters(users: int, items: float, jaccard: float, as_json: bool) -> None:
    """The number of clusters that weighs dummy records against re-identification best."""
    from icefire.history.theory.clusters import OverlapModel

    model = OverlapModel(users, items, jaccard)
    best = model.best_clusters()
    document = {
        "clusters": best,
        "closed_form": model.best_clusters_closed_form(),
        "dummies": model.dummies(best),
        "re_identification": best / users,
        "valid_from": model.fewest_clusters,
    }
    if as_json:
        print_json(document)
        return
    words = {
        "clusters": "best number of clusters",
        "closed_form": "the same by the closed form (an approximation)",
        "dummies": "dummy records then",
        "re_identification": "expected re-identification then",
        "valid_from": "the model holds from so many clusters on",
    }
    rows = [(words[name], number(float(value))) for name, value in document.items()]
    print_figures(f"{users:,} customers with {number(items)} items each, Jaccard {number(jaccard)}", rows)
