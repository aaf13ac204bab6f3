"""`icefire theory`: what hiding people among others will cost, before doing it."""

from __future__ import annotations

import click

from icefire.cli.options import json_option
from icefire.cli.output import number, print_figures, print_json
from icefire.cli.speech import SpokenGroup


@click.group(cls=SpokenGroup)
def theory() -> None:
    """Cost models of dummy records in purchase histories."""


@theory.command()
@click.option("--n", "users", type=click.IntRange(min=1), required=True, help="Customers.")
@click.option("--m", "records", type=click.IntRange(min=0), required=True, help="Records.")
@click.option("--l", "items", type=click.IntRange(min=2), required=True, help="Different items.")
@click.option("--c", "clusters", type=click.IntRange(min=1), required=True, help="Clusters of customers to look alike.")
@json_option
def dummies(users: int, records: int, items: int, clusters: int, as_json: bool) -> None:
    """Expected number of dummy records that make the customers of each cluster look alike."""
    from icefire.history.theory.dummies import expected_dummies, records_of_most_dummies

    expected = expected_dummies(users, records, items, clusters)
    worst = records_of_most_dummies(users, items, clusters)
    if as_json:
        risk = clusters / users
        print_json({"dummies": expected, "re_identification": risk, "records_of_most_dummies": worst})
        return
    rows = [
        ("dummy records", number(expected)),
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
