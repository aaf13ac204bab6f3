// Numbers and moments as texts in the language of the page.

import { language } from "./language.js";

/**
 * How many decimals to show: `digits` for numbers below ten, fewer for larger ones, none from a
 * thousand on or for whole numbers.
 */
export function decimalsFor(values, digits = 3) {
  const known = values.filter((value) => value !== null);
  const largest = Math.max(1, ...known.map(Math.abs));
  return known.every(Number.isInteger) ? 0 : Math.max(0, digits - Math.floor(Math.log10(largest)));
}

/** A number with a fixed count of decimals; a dash where there is none. */
export function number(value, decimals = decimalsFor([value ?? null])) {
  if (value === null || value === undefined) {
    return "–";
  }
  const options = { minimumFractionDigits: decimals, maximumFractionDigits: decimals };
  // Minus zero is an artefact of rounding.
  return new Intl.NumberFormat(language(), options).format(Number(value.toFixed(decimals)) + 0);
}

/** A number by itself: four decimals, or fewer if it is large, and none if it is whole. */
export function plain(value) {
  return number(value, decimalsFor([value], 4));
}

/** The place of a row among others: teams that share it have the best of their places, as "2=". */
export function placeIn(rows, { rank }) {
  return placeText(rank, rows.filter((row) => row.rank === rank).length);
}

/** A place, from its rank, which is the mean of the places of those who are `alike`. */
export function placeText(rank, alike) {
  if (rank === null || rank === undefined) {
    return number(null);
  }
  const place = Math.round(rank - (alike - 1) / 2);
  return alike > 1 ? `${place}=` : String(place);
}

export function timeOfDay(moment) {
  return new Date(moment).toLocaleTimeString(language(), { timeStyle: "medium", hourCycle: "h23" });
}

export function dateAndTime(moment) {
  const options = { dateStyle: "medium", timeStyle: "short", hourCycle: "h23" };
  return new Date(moment).toLocaleString(language(), options);
}
