// Written by `make messages`: change locale/ instead.

export const WORDS = {
"Both have reached {target}, and {higher} beats {lower}.": "Beide haben {target} erreicht, und {higher} schlägt {lower}.",
"Both have {total}, and you reached {target} first.": "Beide haben {total}, und du hattest zuerst {target}.",
"Both have {total}, and {player} reached {target} first.": "Beide haben {total}, und {player} hatte zuerst {target}.",
"First to {target}": "Zuerst bei {target}",
"Next: a number, and its smaller neighbours fall.": "Als Nächstes: eine Zahl, und ihre kleineren Nachbarn fallen.",
"Player {seat}'s total": "Stand von Spieler {seat}",
"Position {position} is empty: its number is gone.": "Platz {position} ist leer: Die Zahl ist weg.",
"Take a number, and its smaller neighbours fall.": "Nimm eine Zahl, und ihre kleineren Nachbarn fallen.",
"The grid": "Das Gitter",
"The grid is empty, and {higher} beats {lower}.": "Das Gitter ist leer, und {higher} schlägt {lower}.",
"The grid is empty, both have {total}, and you had it first.": "Das Gitter ist leer, beide haben {total}, und du hattest es zuerst.",
"The grid is empty, both have {total}, and {player} had it first.": "Das Gitter ist leer, beide haben {total}, und {player} hatte es zuerst.",
"The positions go from 1 to {highest}, and {entry} isn't one of them.": "Die Plätze gehen von 1 bis {highest}, und {entry} ist nicht dabei.",
"The target of {target} is reached, {higher} to {lower}.": "Das Ziel {target} ist erreicht, {higher} zu {lower}.",
"Total {total}.": "Stand {total}.",
"You took {number}.": "Du hast {number} genommen.",
"row {row}, column {column}, empty": "Zeile {row}, Spalte {column}, leer",
"{number} fell.": "{number} ist gefallen.",
"{number} in row {row}, column {column}": "{number} in Zeile {row}, Spalte {column}",
"{player} took {number}.": "{player} hat {number} genommen."
};
