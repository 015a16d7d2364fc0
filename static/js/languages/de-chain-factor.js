// Written by `make messages`: change locale/ instead.

export const WORDS = {
"Next: a number that shares no factor with {last}.": "Als Nächstes: eine Zahl ohne gemeinsamen Teiler mit {last}.",
"Number {number}, shares {factor}": "Zahl {number}, gemeinsamer Teiler {factor}",
"Numbers that are left": "Übrige Zahlen",
"Remove a number that shares no factor with {last}.": "Entferne eine Zahl, die keinen Teiler mit {last} gemeinsam hat.",
"Remove any number.": "Entferne eine beliebige Zahl.",
"The chain": "Die Kette",
"The first number must be even, and {number} is odd.": "Die erste Zahl muss gerade sein, und {number} ist ungerade.",
"You can't move: every number left shares a factor with {last}.": "Du kannst nicht ziehen: Jede übrige Zahl hat einen Teiler mit {last} gemeinsam.",
"You can't move: no divisor or multiple of {last} is left.": "Du kannst nicht ziehen: Kein Teiler und kein Vielfaches von {last} ist mehr da.",
"You can't move: no number is left.": "Du kannst nicht ziehen: Keine Zahl ist mehr da.",
"You removed {number}.": "Du hast {number} entfernt.",
"{last} blocks multiples of": "{last} sperrt Vielfache von",
"{last} blocks nothing": "{last} sperrt nichts",
"{number} and {last} share the factor {factor}.": "{number} und {last} haben den Teiler {factor} gemeinsam.",
"{number} has already been crossed off.": "{number} ist schon durchgestrichen.",
"{number} has already been removed.": "{number} ist schon entfernt.",
"{number} is already in the tower.": "{number} ist schon im Turm.",
"{number} is neither a divisor nor a multiple of {last}.": "{number} ist weder Teiler noch Vielfaches von {last}.",
"{player} can't move: every number left shares a factor with {last}.": "{player} kann nicht ziehen: Jede übrige Zahl hat einen Teiler mit {last} gemeinsam.",
"{player} can't move: no divisor or multiple of {last} is left.": "{player} kann nicht ziehen: Kein Teiler und kein Vielfaches von {last} ist mehr da.",
"{player} can't move: no number is left.": "{player} kann nicht ziehen: Keine Zahl ist mehr da.",
"{player} removed {number}.": "{player} hat {number} entfernt."
};
