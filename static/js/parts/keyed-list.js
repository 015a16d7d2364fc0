// A list of items with ids that changes in place.

/**
 * Add, remove and reorder items but leave those that stay untouched: a finger may be on one of them.
 * @template {{id: string}} Item
 * @param {HTMLElement} list
 * @param {Item[]} items
 * @param {(item: Item) => HTMLElement} create
 */
export function updateList(list, items, create) {
  const before = new Map([...list.children].map((child) => [/** @type {HTMLElement} */ (child).dataset.id, child]));
  for (const [id, child] of before) {
    if (!items.some((item) => item.id === id)) child.remove();
  }
  for (const [index, item] of items.entries()) {
    const child = before.get(item.id) ?? create(item);
    /** @type {HTMLElement} */ (child).dataset.id = item.id;
    if (list.children[index] !== child) list.insertBefore(child, list.children[index] ?? null);
  }
}
