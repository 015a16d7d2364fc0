// Written by `make messages`: change locale/ instead.

export const WORDS = {
"Block {number}": "Stein {number}",
"Blocks that are left": "Übrige Steine",
"Height {height}": "Höhe {height}",
"Next: a divisor or a multiple of {last} on top.": "Als Nächstes: ein Teiler oder Vielfaches von {last} obendrauf.",
"Next: any block.": "Als Nächstes: ein beliebiger Stein.",
"Put a divisor or a multiple of {last} on top.": "Setz einen Teiler oder ein Vielfaches von {last} obendrauf.",
"Start with any block.": "Fang mit einem beliebigen Stein an.",
"The first number must be even, and {number} is odd.": "Die erste Zahl muss gerade sein, und {number} ist ungerade.",
"The tower, from the top": "Der Turm, von oben",
"You can't move: every number left shares a factor with {last}.": "Du kannst nicht ziehen: Jede übrige Zahl hat einen Teiler mit {last} gemeinsam.",
"You can't move: no divisor or multiple of {last} is left.": "Du kannst nicht ziehen: Kein Teiler und kein Vielfaches von {last} ist mehr da.",
"You can't move: no number is left.": "Du kannst nicht ziehen: Keine Zahl ist mehr da.",
"You placed {number} on {after}.": "Du hast {number} auf {after} gesetzt.",
"You placed {number}.": "Du hast {number} gesetzt.",
"{number} and {last} share the factor {factor}.": "{number} und {last} haben den Teiler {factor} gemeinsam.",
"{number} has already been crossed off.": "{number} ist schon durchgestrichen.",
"{number} has already been removed.": "{number} ist schon entfernt.",
"{number} is already in the tower.": "{number} ist schon im Turm.",
"{number} is neither a divisor nor a multiple of {last}.": "{number} ist weder Teiler noch Vielfaches von {last}.",
"{player} can't move: every number left shares a factor with {last}.": "{player} kann nicht ziehen: Jede übrige Zahl hat einen Teiler mit {last} gemeinsam.",
"{player} can't move: no divisor or multiple of {last} is left.": "{player} kann nicht ziehen: Kein Teiler und kein Vielfaches von {last} ist mehr da.",
"{player} can't move: no number is left.": "{player} kann nicht ziehen: Keine Zahl ist mehr da.",
"{player} placed {number} on {after}.": "{player} hat {number} auf {after} gesetzt.",
"{player} placed {number}.": "{player} hat {number} gesetzt."
};
