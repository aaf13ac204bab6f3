# Samples for contests with the files of 2017: see kit.py. Needs nothing but R.
COLUMNS <- c("user", "invoice", "date", "time", "item", "price", "quantity")
KEYS <- list(S1 = c("date", "quantity"), S2 = c("item", "price"), S3 = c("item", "quantity"),
             S4 = c("date", "item"), S5 = c("item", "price", "quantity"), S6 = c("item", "date", "quantity"))

rows <- function(path, skip = 0) {
  read.csv(path, header = FALSE, skip = skip, colClasses = "character", na.strings = character(), fileEncoding = "UTF-8-BOM")
}
read <- function(folder, stem) {
  names <- sort(list.files(folder))
  rows(file.path(folder, names[sub("[._].*", "", names) == stem][1]))
}
records <- function(folder, stem) setNames(read(folder, stem), COLUMNS)
write_rows <- function(table, path, append = FALSE) {
  dir.create(dirname(path), recursive = TRUE, showWarnings = FALSE)
  write.table(table, path, sep = ",", quote = FALSE, row.names = FALSE, col.names = FALSE, append = append)
}
month <- function(dates) sub("/(\\d)$", "/0\\1", sub("/\\d+$", "", dates))

anonymize <- function(folder, out, seed) {
  set.seed(as.integer(seed))
  table <- records(folder, "T")
  places <- paste(table$user, month(table$date))
  numbers <- setNames(sample(10 * length(unique(places)), length(unique(places))), unique(places))
  table$user <- paste0("p", numbers[places])
  price <- pmax(round(as.numeric(table$price) * runif(nrow(table), 0.9, 1.1), 2), 0.01)
  table$price <- sprintf("%.2f", price)
  write_rows(table, file.path(out, "AT.csv"))
}

empty <- function(customers, months) {
  matrix("DEL", length(customers), length(months), dimnames = list(customers, months))
}

attack <- function(folder, out, table = "T") {
  known <- subset(records(folder, table), date != "")
  shown <- records(folder, "S")
  customers <- read(folder, "M")[[1]]
  months <- sort(unique(month(c(known$date, shown$date))))
  for (name in names(KEYS)) {
    key <- function(table) do.call(paste, c(transform(table, item = substr(item, 1, 2))[KEYS[[name]]], sep = "\r"))
    last <- shown[!duplicated(key(shown), fromLast = TRUE), ]
    pseudonyms <- setNames(last$user, key(last))[key(known)]
    hit <- !is.na(pseudonyms)
    guess <- empty(customers, months)
    guess[cbind(known$user, month(known$date))[hit, , drop = FALSE]] <- pseudonyms[hit]
    path <- file.path(out, sprintf("Fh_%s.csv", name))
    write_rows(length(customers), path)
    write_rows(cbind(customers, guess), path, append = TRUE)
  }
}

# Items by what users buy of them in total, as scored, every vector of length 1.
item_vectors <- function(table, items, scoring) {
  table <- table[table$item %in% items, ]
  totals <- tapply(as.numeric(table$quantity), list(factor(table$item, items), table$user), sum)
  scores <- scoring(ifelse(is.na(totals), 0, totals))
  lengths <- sqrt(rowSums(scores^2))
  scores / ifelse(lengths == 0, 1, lengths)
}

# How far the similarities of any two items have moved, per similarity before; at most 1.
similarity_loss <- function(original, kept, scoring, items = unique(original$item)) {
  before <- tcrossprod(item_vectors(original, items, scoring))
  after <- tcrossprod(item_vectors(kept, items, scoring))
  pairs <- upper.tri(before) & before > 0
  min(sum(abs(before - after)[pairs]) / sum(before[pairs]), 1)
}

# The 100 items that most users buy; of equally popular ones those whose id comes later.
popular <- function(table) {
  pairs <- unique(table[c("item", "user")])
  buyers <- table(pairs$item)
  head(names(buyers)[order(buyers, names(buyers), decreasing = TRUE, method = "radix")], 100)
}

# E1, E2, and the two numbers of E3.
items_lost <- function(original, kept) {
  chosen <- popular(original)
  sprintf(
    '"quantity_similarity": %.15g, "small_quantity_similarity": %.15g, "popular_similarity": %.15g, "popular_items": %.15g',
    similarity_loss(original, kept, function(total) pmin(pmax(floor(total / 12), 0), 6)),
    similarity_loss(original, kept, function(total) ifelse(total > 11, 0, total)),
    similarity_loss(original, kept, function(total) (total > 0) + 0, chosen),
    length(setdiff(chosen, popular(kept))) / length(chosen)
  )
}

score <- function(folder, guess) {
  original <- records(folder, "T")
  made <- records(folder, "AT")
  customers <- read(folder, "M")[[1]]
  months <- sort(unique(month(original$date)))
  kept <- made$user != "DEL"
  before <- original[kept, ]
  after <- made[kept, ]
  truth <- empty(customers, months)
  backwards <- rev(seq_len(nrow(before)))
  truth[cbind(before$user, month(before$date))[backwards, , drop = FALSE]] <- after$user[backwards]
  days <- abs(as.numeric(as.Date(before$date) - as.Date(after$date)))
  prices <- cbind(as.numeric(before$price), as.numeric(after$price))
  found <- rows(guess, skip = 1)
  found <- as.matrix(found[match(customers, found[[1]]), -1])
  right <- truth == found
  absent <- sum(truth == "DEL")
  cat(sprintf(
    '{%s, "date_shift": %.15g, "price_ratio": %.15g, "rows_deleted": %.15g, "user_matching": %.15g, "month_matching": %.15g}\n',
    items_lost(original, after), sum(days) / (31 * nrow(made)), sum(1 - pmin(prices[, 1], prices[, 2]) / pmax(prices[, 1], prices[, 2])) / nrow(made),
    mean(!kept), mean(apply(right, 1, all)), max((sum(right) - absent) / (length(truth) - absent), 0)
  ))
}

given <- commandArgs(trailingOnly = TRUE)
do.call(given[1], as.list(given[-1]))
