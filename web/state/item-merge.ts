/** Two people edit one item: what the other one saved and what was begun here are put together, or told apart. Pure. */
import { isNowhere, likeness } from '../../schema/boxes.ts'
import { type FormBox, type ItemForm, type SetPart, sameBox, samePart, setParts, withEntries } from './item-form.ts'

/** Parts that both have changed, with what stands there if the other one's word is taken. */
export type Conflicts = Partial<ItemForm>

const lists = ['category', 'keywords', 'author'] as const
export type ListPart = (typeof lists)[number]

export function isListPart(part: keyof ItemForm): part is ListPart {
  return lists.some(list => list === part)
}

const letters = (word: string) => word.normalize('NFC').toLowerCase()

function isNameless({ subject, name }: FormBox): boolean {
  return subject === 0 && name === ''
}

function saysTheSame(mine: FormBox, theirs: FormBox): boolean {
  if (mine.subject !== 0 || isNameless(mine)) return mine.subject === theirs.subject
  return letters(mine.name) === letters(theirs.name)
}

/** How much a box that is not saved yet is what somebody else has saved meanwhile, above 0 when it is. */
function matchOf(mine: FormBox, theirs: FormBox): number {
  if (mine.kind !== theirs.kind) return 0
  const same = saysTheSame(mine, theirs)
  if (isNowhere(mine) || isNowhere(theirs)) return same && isNowhere(mine) && isNowhere(theirs) ? 1 : 0
  // Of things several lie in one place: a shelf, and what is on it.
  return mine.kind === 'person' || same || isNameless(mine) ? likeness(mine, theirs) : 0
}

/** Boxes that are not saved here, and that somebody else has saved meanwhile: his → mine, the most alike first. */
function saved(base: readonly FormBox[], mine: readonly FormBox[], theirs: readonly FormBox[]) {
  const late = theirs.filter(({ id, kind }) => {
    return ![...base, ...mine].some(box => box.id === id && box.kind === kind)
  })
  const pairs = mine
    .filter(({ id }) => id === 0)
    .flatMap(my => late.map(their => ({ my, their, match: matchOf(my, their) })))
    .filter(({ match }) => match > 0)
    .sort((a, b) => b.match - a.match)
  const found = new Map<FormBox, FormBox>()
  const taken = new Set<FormBox>()
  for (const { my, their } of pairs) {
    if (found.has(their) || taken.has(my)) continue
    found.set(their, my)
    taken.add(my)
  }
  return { found, taken }
}

/** Boxes by their ids, new ones by their places: where only one of the two changed something, it stays changed. */
function mergeBoxes(
  base: readonly FormBox[],
  mine: readonly FormBox[],
  theirs: readonly FormBox[],
  prefer: 'mine' | 'theirs',
): { boxes: FormBox[]; clash: boolean } {
  let clash = false
  const named = (list: readonly FormBox[], { id, kind }: FormBox) =>
    list.find(box => box.id !== 0 && box.id === id && box.kind === kind)
  const late = saved(base, mine, theirs)
  const boxes = theirs.flatMap(their => {
    const same = late.found.get(their)
    if (same !== undefined) {
      const kept = { ...their, key: same.key }
      if (isNameless(same) || saysTheSame(same, their)) return kept
      clash = true
      return prefer === 'mine' ? { ...same, id: their.id } : kept
    }
    const [before, my] = [named(base, their), named(mine, their)]
    if (my === undefined) {
      if (before === undefined) return their
      if (sameBox(before, their)) return []
      clash = true
      return prefer === 'mine' ? [] : their
    }
    const kept = { ...their, key: my.key }
    if (sameBox(my, their) || (before !== undefined && sameBox(before, my))) return kept
    if (before !== undefined && sameBox(before, their)) return my
    clash = true
    return prefer === 'mine' ? my : kept
  })
  for (const my of mine) {
    if (my.id === 0) {
      if (!late.taken.has(my)) boxes.push(my)
      continue
    }
    const before = named(base, my)
    if (before === undefined || named(theirs, my) !== undefined || sameBox(before, my)) continue
    // It was removed there and changed here: here it is drawn anew.
    clash = true
    if (prefer === 'mine') boxes.push({ ...my, id: 0 })
  }
  return { boxes, clash }
}

function copyPart<P extends keyof ItemForm>(to: Partial<ItemForm>, part: P, from: ItemForm): void {
  to[part] = from[part]
}

function alike(a: readonly string[], b: readonly string[]): boolean {
  return a.length === b.length && a.every((word, at) => letters(word) === letters(b[at] ?? ''))
}

/** Somebody has changed it: not the library, which writes words as they are known already, and guesses names of places. */
function isTheirs(part: SetPart, base: ItemForm, theirs: ItemForm): boolean {
  if (isListPart(part)) return !alike(base[part], theirs[part])
  if (part !== 'place' || !theirs.place.guessed) return !samePart(part, base, theirs)
  const name = { placeName: base.place.placeName, guessed: base.place.guessed }
  return !samePart('place', base, { ...theirs, place: { ...theirs.place, ...name } })
}

/** `base` is what was edited, `theirs` what stands on the server now. Where both differ from it, `mine` is kept and told. */
export function mergeForms(
  base: ItemForm,
  mine: ItemForm,
  theirs: ItemForm,
  pending: Conflicts = {},
): { form: ItemForm; conflicts: Conflicts } {
  const form: ItemForm = { ...mine }
  const conflicts: Conflicts = {}
  for (const part of setParts) {
    if (samePart(part, mine, theirs) || samePart(part, base, mine)) copyPart(form, part, theirs)
    else if (isTheirs(part, base, theirs) || pending[part] !== undefined) copyPart(conflicts, part, theirs)
  }
  const merged = mergeBoxes(base.boxes, mine.boxes, theirs.boxes, 'mine')
  form.boxes = merged.boxes
  if (merged.clash) conflicts.boxes = mergeBoxes(base.boxes, mine.boxes, theirs.boxes, 'theirs').boxes
  else if (pending.boxes !== undefined) conflicts.boxes = theirs.boxes
  return { form, conflicts }
}

export type Choice = 'mine' | 'theirs' | 'both'

/** The form after somebody chose. 'both' is for lists: theirs, and what mine has beyond. */
export function resolved(form: ItemForm, conflicts: Conflicts, part: keyof ItemForm, choice: Choice): ItemForm {
  const there = { ...form, ...conflicts }
  if (choice === 'mine' || conflicts[part] === undefined) return form
  const next: ItemForm = { ...form }
  copyPart(next, part, there)
  if (choice === 'both' && isListPart(part)) next[part] = withEntries(there[part], form[part])
  return next
}

export function without(conflicts: Conflicts, part: keyof ItemForm): Conflicts {
  return Object.fromEntries(Object.entries(conflicts).filter(([name]) => name !== part))
}
