// Written by `make messages`: change locale/ instead.

export const WORDS = {
"Add a petal that shares a factor with {centre}.": "Leg ein Blütenblatt an, das einen Teiler mit {centre} gemeinsam hat.",
"Choose a centre.": "Wähle eine Mitte.",
"Next: a centre.": "Als Nächstes: eine Mitte.",
"Next: a petal that shares a factor with {centre}.": "Als Nächstes: ein Blütenblatt mit gemeinsamem Teiler zu {centre}.",
"Nobody can add a petal, and {more} beats {fewer}.": "Niemand kann ein Blütenblatt anlegen, und {more} schlägt {fewer}.",
"Nobody can add a petal, both have {petals}, and you took the first turn.": "Niemand kann ein Blütenblatt anlegen, beide haben {petals}, und du hast angefangen.",
"Nobody can add a petal, both have {petals}, and {player} took the first turn.": "Niemand kann ein Blütenblatt anlegen, beide haben {petals}, und {player} hat angefangen.",
"Player {seat}'s blossom: centre {centre}, petals {petals}": "Blüte von Spieler {seat}: Mitte {centre}, Blütenblätter {petals}",
"The blossom is complete, with {petals} of {petals} petals.": "Die Blüte ist fertig, mit {petals} von {petals} Blütenblättern.",
"The number pool": "Der Vorrat",
"You added petal {number}.": "Du hast das Blütenblatt {number} angelegt.",
"You can't pass while a petal fits your centre {centre}: {numbers}.": "Du darfst nicht aussetzen, solange ein Blütenblatt zu deiner Mitte {centre} passt: {numbers}.",
"You can't pass: choose your centre first.": "Du darfst nicht aussetzen: Wähle zuerst deine Mitte.",
"You chose {number} as the centre.": "Du hast {number} als Mitte gewählt.",
"You had to pass.": "Du musstest aussetzen.",
"not chosen": "nicht gewählt",
"{number} and your centre {centre} share no factor greater than 1.": "{number} und deine Mitte {centre} haben keinen Teiler größer als 1 gemeinsam.",
"{number} and your centre {centre} share no factor greater than 1. No number in the pool does, so you must pass.": "{number} und deine Mitte {centre} haben keinen Teiler größer als 1 gemeinsam. Im Vorrat passt nichts, also musst du aussetzen.",
"{number} has already left the pool.": "{number} ist nicht mehr im Vorrat.",
"{number} is your centre, and a centre can't also be a petal.": "{number} ist deine Mitte, und eine Mitte kann nicht auch Blütenblatt sein.",
"{petals} petals win. Petals {one} : {two}": "{petals} Blätter gewinnen. Stand {one} : {two}",
"{player} added petal {number}.": "{player} hat das Blütenblatt {number} angelegt.",
"{player} chose {number} as the centre.": "{player} hat {number} als Mitte gewählt.",
"{player} had to pass.": "{player} musste aussetzen."
};
