// Samples for contests with the files of 2017: see kit.py. Needs nothing but Java 17.
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.LocalDate;
import java.time.temporal.ChronoUnit;
import java.util.*;
import java.util.function.DoubleUnaryOperator;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;

public class Kit {
    static final int USER = 0, DATE = 2, ITEM = 4, PRICE = 5, QUANTITY = 6;
    static final Map<String, int[]> KEYS = new TreeMap<>(Map.of(
        "S1", new int[] {DATE, QUANTITY}, "S2", new int[] {ITEM, PRICE}, "S3", new int[] {ITEM, QUANTITY},
        "S4", new int[] {DATE, ITEM}, "S5", new int[] {ITEM, PRICE, QUANTITY}, "S6", new int[] {ITEM, DATE, QUANTITY}));

    static List<String[]> rows(Path path) throws IOException {
        return Files.readAllLines(path).stream().map(line -> line.replace("\uFEFF", "")).filter(line -> !line.isBlank())
            .map(line -> line.split(",", -1)).toList();
    }

    static List<String[]> read(String folder, String stem) throws IOException {
        try (Stream<Path> paths = Files.list(Path.of(folder))) {
            return rows(paths.sorted().filter(path -> path.getFileName().toString().split("[._]")[0].equals(stem)).findFirst().get());
        }
    }

    static void write(Path path, List<String> lines) throws IOException {
        Files.createDirectories(path.getParent());
        Files.writeString(path, lines.stream().map(line -> line + "\n").collect(Collectors.joining()));
    }

    static LocalDate date(String[] row) {
        int[] parts = Arrays.stream(row[DATE].split("/")).mapToInt(Integer::parseInt).toArray();
        return LocalDate.of(parts[0], parts[1], parts[2]);
    }

    static LocalDate month(String[] row) {
        return date(row).withDayOfMonth(1);
    }

    static List<String> customers(String folder) throws IOException {
        return read(folder, "M").stream().map(row -> row[0]).toList();
    }

    /** For every customer, a cell for every month. */
    static Map<String, TreeMap<LocalDate, String>> empty(List<String> customers, Collection<LocalDate> months) {
        Map<String, TreeMap<LocalDate, String>> table = new LinkedHashMap<>();
        for (String customer : customers) {
            table.put(customer, new TreeMap<>(months.stream().distinct().collect(Collectors.toMap(each -> each, each -> "DEL"))));
        }
        return table;
    }

    static void anonymize(String folder, String out, String seed) throws IOException {
        List<String[]> table = read(folder, "T");
        Random random = new Random(Long.parseLong(seed));
        List<String> places = table.stream().map(row -> row[USER] + " " + month(row)).distinct().toList();
        List<Integer> numbers = new ArrayList<>(IntStream.range(1, 10 * places.size()).boxed().toList());
        Collections.shuffle(numbers, random);
        Map<String, String> names = new HashMap<>();
        for (String place : places) {
            names.put(place, "p" + numbers.get(names.size()));
        }
        List<String> lines = new ArrayList<>();
        for (String[] row : table) {
            String[] made = row.clone();
            made[USER] = names.get(row[USER] + " " + month(row));
            double price = Double.parseDouble(row[PRICE]) * (0.9 + 0.2 * random.nextDouble());
            made[PRICE] = String.format(Locale.ROOT, "%.2f", Math.max(price, 0.01));
            lines.add(String.join(",", made));
        }
        write(Path.of(out, "AT.csv"), lines);
    }

    static String key(String[] row, int[] columns) {
        return Arrays.stream(columns).mapToObj(column -> column == ITEM ? row[ITEM].substring(0, Math.min(2, row[ITEM].length())) : row[column])
            .collect(Collectors.joining("\r"));
    }

    static void attack(String folder, String out, String table) throws IOException {
        List<String[]> known = read(folder, table).stream().filter(row -> !row[DATE].isEmpty()).toList(), shown = read(folder, "S");
        List<LocalDate> months = Stream.concat(known.stream(), shown.stream()).map(Kit::month).toList();
        for (var entry : KEYS.entrySet()) {
            Map<String, String> pseudonyms = new HashMap<>();
            shown.forEach(row -> pseudonyms.put(key(row, entry.getValue()), row[USER]));
            var guess = empty(customers(folder), months);
            for (String[] row : known) {
                String pseudonym = pseudonyms.get(key(row, entry.getValue()));
                if (pseudonym != null) {
                    guess.get(row[USER]).put(month(row), pseudonym);
                }
            }
            List<String> lines = new ArrayList<>(List.of(String.valueOf(guess.size())));
            guess.forEach((customer, cells) -> lines.add(customer + "," + String.join(",", cells.values())));
            write(Path.of(out, "Fh_" + entry.getKey() + ".csv"), lines);
        }
    }

    /** Items by what users buy of them in total, as scored, every vector of length 1. */
    static Map<String, Map<String, Double>> itemVectors(List<String[]> rows, Set<String> chosen, DoubleUnaryOperator scoring) {
        Map<String, Map<String, Double>> items = new TreeMap<>();
        for (String[] row : rows) {
            if (chosen == null || chosen.contains(row[ITEM])) {
                items.computeIfAbsent(row[ITEM], item -> new HashMap<>()).merge(row[USER], Double.parseDouble(row[QUANTITY]), Double::sum);
            }
        }
        for (Map<String, Double> buyers : items.values()) {
            buyers.replaceAll((user, total) -> scoring.applyAsDouble(total));
            buyers.values().removeIf(value -> value == 0);
            double length = Math.sqrt(buyers.values().stream().mapToDouble(value -> value * value).sum());
            buyers.replaceAll((user, value) -> value / length);
        }
        return items;
    }

    static double similarity(Map<String, Double> one, Map<String, Double> other) {
        return one.entrySet().stream().mapToDouble(entry -> entry.getValue() * other.getOrDefault(entry.getKey(), 0.0)).sum();
    }

    /** How far the similarities of any two items have moved, per similarity before; at most 1. */
    static double similarityLoss(List<String[]> original, List<String[]> kept, Set<String> chosen, DoubleUnaryOperator scoring) {
        var before = itemVectors(original, chosen, scoring);
        var after = itemVectors(kept, chosen, scoring);
        List<String> items = List.copyOf(before.keySet());
        double total = 0, lost = 0;
        for (int at = 0; at < items.size(); at++) {
            for (String other : items.subList(0, at)) {
                double was = similarity(before.get(items.get(at)), before.get(other));
                if (was > 0) {
                    total += was;
                    lost += Math.abs(was - similarity(after.getOrDefault(items.get(at), Map.of()), after.getOrDefault(other, Map.of())));
                }
            }
        }
        return Math.min(lost / total, 1);
    }

    /** The 100 items that most users buy; of equally popular ones those whose id comes later. */
    static Set<String> popular(List<String[]> rows) {
        Map<String, Set<String>> buyers = new HashMap<>();
        rows.forEach(row -> buyers.computeIfAbsent(row[ITEM], item -> new HashSet<>()).add(row[USER]));
        Comparator<String> order = Comparator.<String>comparingInt(item -> buyers.get(item).size()).thenComparing(item -> item).reversed();
        return buyers.keySet().stream().sorted(order).limit(100).collect(Collectors.toSet());
    }

    static void score(String folder, String guess) throws IOException {
        List<String[]> original = read(folder, "T"), made = read(folder, "AT");
        var truth = empty(customers(folder), original.stream().map(Kit::month).toList());
        double shift = 0, loss = 0, deleted = 0;
        for (int at = 0; at < made.size(); at++) {
            String[] before = original.get(at), after = made.get(at);
            if (after[USER].equals("DEL")) {
                deleted++;
                continue;
            }
            truth.get(before[USER]).replace(month(before), "DEL", after[USER]);
            double one = Double.parseDouble(before[PRICE]), other = Double.parseDouble(after[PRICE]);
            shift += Math.abs(ChronoUnit.DAYS.between(date(before), date(after)));
            loss += 1 - Math.min(one, other) / Math.max(one, other);
        }
        double users = 0, match = 0, absent = 0, total = 0;
        for (String[] row : rows(Path.of(guess))) {
            if (row.length == 1) {
                continue;
            }
            List<String> cells = List.copyOf(truth.get(row[0]).values());
            long right = IntStream.range(0, cells.size()).filter(at -> cells.get(at).equals(row[at + 1])).count();
            users += right == cells.size() ? 1 : 0;
            match += right;
            absent += Collections.frequency(cells, "DEL");
            total += cells.size();
        }
        List<String[]> kept = made.stream().filter(row -> !row[USER].equals("DEL")).toList();
        Set<String> chosen = popular(original), still = popular(kept);
        System.out.printf(Locale.ROOT,
            "{\"quantity_similarity\": %.15g, \"small_quantity_similarity\": %.15g, \"popular_similarity\": %.15g, \"popular_items\": %.15g, "
            + "\"date_shift\": %.15g, \"price_ratio\": %.15g, \"rows_deleted\": %.15g, \"user_matching\": %.15g, \"month_matching\": %.15g}%n",
            similarityLoss(original, kept, null, bought -> Math.min(Math.max(Math.floor(bought / 12), 0), 6)),
            similarityLoss(original, kept, null, bought -> bought > 11 ? 0 : bought),
            similarityLoss(original, kept, chosen, bought -> bought > 0 ? 1 : 0),
            chosen.stream().filter(item -> !still.contains(item)).count() / (double) chosen.size(),
            shift / (31 * made.size()), loss / made.size(), deleted / made.size(), users / truth.size(),
            Math.max((match - absent) / (total - absent), 0));
    }

    public static void main(String[] given) throws IOException {
        switch (given[0]) {
            case "anonymize" -> anonymize(given[1], given[2], given[3]);
            case "attack" -> attack(given[1], given[2], given.length > 3 ? given[3] : "T");
            default -> score(given[1], given[2]);
        }
    }
}
