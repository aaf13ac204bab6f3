"""The games of the contests from 2020 on: attackers ask who was in the data, or what is hidden."""
