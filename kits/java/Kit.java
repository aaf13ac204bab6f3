// A sample anonymizer, a sample attack and a scorer for contests of microdata. Needs nothing but Java 17.
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
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
        List<Integer> known = Table.read(original).ranked(amounts.split(","));
        List<Integer> seen = Table.read(published).ranked(amounts.split(","));
        String[] guess = new String[seen.size()];
        for (int rank = 0; rank < guess.length; rank++) {
            guess[seen.get(rank)] = String.valueOf(known.get(Math.min(rank, known.size() - 1)) + 1);
        }
        write(Path.of(out, "guess-sort.csv"), List.of(guess));
    }

    static void score(String original, String published, String secret, String guess, String amounts) throws IOException {
        Table before = Table.read(original);
        Table after = Table.read(published);
        double mae = Arrays.stream(amounts.split(",")).mapToDouble(name -> Math.abs(before.mean(name) - after.mean(name))).average().orElse(0);
        List<String> truth = Files.readAllLines(Path.of(secret));
        List<String> answer = Files.readAllLines(Path.of(guess));
        double found = IntStream.range(0, truth.size()).filter(row -> truth.get(row).equals(answer.get(row))).count() / (double) truth.size();
        System.out.printf(Locale.ROOT, "{\"mean_mae\": %.15g, \"re_identification\": %.15g}%n", mae, found);
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
