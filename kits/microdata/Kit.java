// Samples for contests of tables, as in 2015: see kit.py. Needs nothing but Java 17.
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Random;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

public class Kit {
    record Table(List<String> header, List<String[]> rows) {
        static Table read(String path) throws IOException {
            List<String> lines = Files.readAllLines(Path.of(path));
            String first = lines.get(0).replace("\uFEFF", "");
            List<String[]> rows = lines.stream().skip(1).filter(line -> !line.isBlank()).map(line -> line.split(",", -1)).toList();
            return new Table(List.of(first.split(",")), rows);
        }

        double number(int row, String name) {
            return Double.parseDouble(rows.get(row)[header.indexOf(name)]);
        }

        double mean(String name) {
            return IntStream.range(0, rows.size()).mapToDouble(row -> number(row, name)).sum() / rows.size();
        }

        /** The columns that are no amounts. */
        List<String> quasi(String[] names) {
            return header.stream().filter(name -> !List.of(names).contains(name)).toList();
        }

        String key(int row, List<String> columns) {
            return columns.stream().map(name -> rows.get(row)[header.indexOf(name)]).collect(Collectors.joining("\r"));
        }

        String cell(int row, String name) {
            return rows.get(row)[header.indexOf(name)];
        }

        /** The rows of each group of a column. */
        Map<String, List<Integer>> groups(String key) {
            return IntStream.range(0, rows.size()).boxed().collect(Collectors.groupingBy(row -> cell(row, key)));
        }

        double mean(String name, List<Integer> some) {
            return some.stream().mapToDouble(row -> number(row, name)).average().orElse(0);
        }

        double correlation(String one, String other) {
            double left = mean(one), right = mean(other), both = 0, first = 0, second = 0;
            for (int row = 0; row < rows.size(); row++) {
                double a = number(row, one) - left, b = number(row, other) - right;
                both += a * b;
                first += a * a;
                second += b * b;
            }
            double spread = Math.sqrt(first * second);
            return spread == 0 ? (one.equals(other) ? 1 : 0) : both / spread;
        }

        List<Integer> ranked(String[] names) {
            double[] sums = IntStream.range(0, rows.size()).mapToDouble(row -> Arrays.stream(names).mapToDouble(name -> number(row, name)).sum()).toArray();
            return IntStream.range(0, rows.size()).boxed().sorted(Comparator.comparingDouble(row -> sums[row])).toList();
        }
    }

    static void write(Path path, List<String> lines) throws IOException {
        Files.createDirectories(path.getParent());
        Files.writeString(path, lines.stream().map(line -> line + "\n").collect(Collectors.joining()));
    }

    static void anonymize(String original, String amounts, String out, String seed) throws IOException {
        Table table = Table.read(original);
        List<String> names = List.of(amounts.split(","));
        Random random = new Random(Long.parseLong(seed));
        List<Integer> order = new ArrayList<>(IntStream.range(0, table.rows().size()).boxed().toList());
        Collections.shuffle(order, random);
        List<String> lines = new ArrayList<>(List.of(String.join(",", table.header())));
        for (int row : order) {
            String[] cells = table.rows().get(row).clone();
            for (int column = 0; column < cells.length; column++) {
                if (names.contains(table.header().get(column))) {
                    cells[column] = String.valueOf(Math.round(Double.parseDouble(cells[column]) * (0.8 + 0.4 * random.nextDouble())));
                }
            }
            lines.add(String.join(",", cells));
        }
        write(Path.of(out, "published.csv"), lines);
        write(Path.of(out, "secret.csv"), order.stream().map(row -> String.valueOf(row + 1)).toList());
    }

    static void attack(String original, String published, String amounts, String out) throws IOException {
        Table known = Table.read(original), seen = Table.read(published);
        String[] names = amounts.split(","), first = {names[0]};
        int n = known.rows().size(), m = seen.rows().size();
        String[] sort = new String[m], idRand = new String[m], sa21 = new String[m], idSa = new String[m];
        Random random = new Random(1);
        List<Integer> bySum = known.ranked(names), shownBySum = seen.ranked(names), byFirst = known.ranked(first), shownByFirst = seen.ranked(first);
        for (int rank = 0; rank < m; rank++) {
            sort[shownBySum.get(rank)] = String.valueOf(bySum.get(Math.min(rank, n - 1)) + 1);
            sa21[shownByFirst.get(rank)] = String.valueOf(byFirst.get(rank * (n - 1) / Math.max(m - 1, 1)) + 1);
        }
        Map<String, List<Integer>> same = IntStream.range(0, n).boxed().collect(Collectors.groupingBy(row -> known.key(row, seen.quasi(names))));
        List<Integer> everybody = IntStream.range(0, n).boxed().toList();
        for (int row = 0; row < m; row++) {
            double amount = seen.number(row, names[0]);
            List<Integer> candidates = same.getOrDefault(seen.key(row, seen.quasi(names)), everybody);
            idRand[row] = String.valueOf(candidates.get(random.nextInt(candidates.size())) + 1);
            Comparator<Integer> near = Comparator.comparingDouble(place -> Math.abs(known.number(place, names[0]) - amount));
            idSa[row] = String.valueOf(candidates.stream().min(near.thenComparing(place -> place)).get() + 1);
        }
        write(Path.of(out, "guess-sort.csv"), List.of(sort));
        write(Path.of(out, "guess-id_rand.csv"), List.of(idRand));
        write(Path.of(out, "guess-sa21.csv"), List.of(sa21));
        write(Path.of(out, "guess-id_sa.csv"), List.of(idSa));
    }

    /** U2: how far the mean of each amount in each group has moved; a group that is lost counts as 0. */
    static double crossMean(Table before, Table after, List<String> quasi, String[] names) {
        return quasi.stream().flatMapToDouble(key -> {
            Map<String, List<Integer>> old = before.groups(key), shown = after.groups(key);
            return Arrays.stream(names).mapToDouble(name -> old.keySet().stream().mapToDouble(group ->
                Math.abs(before.mean(name, old.get(group)) - after.mean(name, shown.getOrDefault(group, List.of())))).average().orElse(0));
        }).average().orElse(0);
    }

    /** U3: how far the size of each group has moved. */
    static double crossCount(Table before, Table after, List<String> quasi) {
        return quasi.stream().mapToDouble(key -> {
            Map<String, List<Integer>> old = before.groups(key), shown = after.groups(key);
            return old.keySet().stream().mapToInt(group ->
                Math.abs(old.get(group).size() - shown.getOrDefault(group, List.of()).size())).average().orElse(0);
        }).average().orElse(0);
    }

    /** U4: how far the correlations of the amounts have moved. */
    static double correlationMae(Table before, Table after, String[] names) {
        return Arrays.stream(names).flatMapToDouble(one -> Arrays.stream(names).mapToDouble(other ->
            Math.abs(before.correlation(one, other) - after.correlation(one, other)))).average().orElse(0);
    }

    /** U5: how far cells are from the original ones; amounts relative to the range of their column. */
    static double informationLoss(Table before, Table after, List<String> truth, String[] names) {
        int[] places = truth.stream().mapToInt(line -> Integer.parseInt(line) - 1).toArray();
        return before.header().stream().mapToDouble(name -> {
            IntStream rows = IntStream.range(0, places.length);
            if (!List.of(names).contains(name)) {
                return rows.mapToDouble(row -> before.cell(places[row], name).equals(after.cell(row, name)) ? 0 : 1).average().orElse(0);
            }
            var range = IntStream.range(0, before.rows().size()).mapToDouble(row -> before.number(row, name)).summaryStatistics();
            double span = range.getMax() - range.getMin();
            return span == 0 ? 0 : rows.mapToDouble(row -> Math.abs(before.number(places[row], name) - after.number(row, name)) / span).average().orElse(0);
        }).average().orElse(0);
    }

    static void score(String original, String published, String secret, String guess, String amounts) throws IOException {
        Table before = Table.read(original);
        Table after = Table.read(published);
        String[] names = amounts.split(",");
        double mae = Arrays.stream(names).mapToDouble(name -> Math.abs(before.mean(name) - after.mean(name))).average().orElse(0);
        List<String> truth = Files.readAllLines(Path.of(secret));
        List<String> answer = Files.readAllLines(Path.of(guess));
        double found = IntStream.range(0, truth.size()).filter(row -> truth.get(row).equals(answer.get(row))).count() / (double) truth.size();
        List<String> quasi = after.quasi(names);
        var sizes = IntStream.range(0, after.rows().size()).boxed().collect(Collectors.groupingBy(row -> after.key(row, quasi), Collectors.counting()));
        System.out.printf(Locale.ROOT,
            "{\"mean_mae\": %.15g, \"cross_mean\": %.15g, \"cross_count\": %.15g, \"correlation_mae\": %.15g, \"information_loss\": %.15g, \"rows_lost\": %d, \"k_anonymity(copies=false)\": %d, \"k_anonymity_mean\": %.15g, \"re_identification\": %.15g}%n",
            mae, crossMean(before, after, quasi, names), crossCount(before, after, quasi), correlationMae(before, after, names),
            informationLoss(before, after, truth, names), Math.abs(before.rows().size() - after.rows().size()), Collections.min(sizes.values()),
            after.rows().size() / (double) sizes.size(), found);
    }

    public static void main(String[] given) throws IOException {
        switch (given[0]) {
            case "anonymize" -> anonymize(given[1], given[2], given[3], given[4]);
            case "attack" -> attack(given[1], given[2], given[3], given[4]);
            case "score" -> score(given[1], given[2], given[3], given[4], given[5]);
            default -> throw new IllegalArgumentException(given[0]);
        }
    }
}
