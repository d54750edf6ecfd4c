/** Merges changes of other users into a draft; local edits are kept. Pure. */
import { boxSimilarity, hasNoBox } from '../../../schema/boxes.ts'
import { sameWord } from '../../kit/words.ts'
import { type FormBox, type ItemForm, isSameBox, isSamePart, withEntries } from './item-form.ts'

const sameSubject = (a: FormBox, b: FormBox) =>
  a.kind === b.kind && ((a.subject !== 0 && a.subject === b.subject) || sameWord(a.name, b.name))

const isNameless = ({ subject, name }: FormBox) => subject === 0 && name === ''

/** Whether an unsaved box shows the same as one that another user has saved, so that only one of them may stay. */
function isSameRegion(mine: FormBox, theirs: FormBox): boolean {
  if (hasNoBox(mine) && hasNoBox(theirs)) return sameSubject(mine, theirs)
  const mayBe = mine.kind === theirs.kind && (mine.kind === 'person' || isNameless(mine) || sameSubject(mine, theirs))
  return mayBe && boxSimilarity(mine, theirs) > 0
}

const savedAs = (list: readonly FormBox[], { id, kind }: FormBox) =>
  list.find(box => box.id !== 0 && box.id === id && box.kind === kind)

function mergeBoxes(base: readonly FormBox[], mine: readonly FormBox[], theirs: readonly FormBox[]): FormBox[] {
  const isChanged = (my: FormBox) => {
    const before = savedAs(base, my)
    return before !== undefined && !isSameBox(before, my)
  }
  const drawn = mine.filter(({ id }) => id === 0)
  const boxes = theirs.flatMap(their => {
    const my = savedAs(mine, their)
    if (my !== undefined) return isChanged(my) ? my : { ...their, key: my.key }
    if (savedAs(base, their) !== undefined) return []
    const twin = drawn.findIndex(box => isSameRegion(box, their))
    const [same] = twin < 0 ? [] : drawn.splice(twin, 1)
    if (same === undefined) return their
    return isNameless(same) || sameSubject(same, their) ? { ...their, key: same.key } : { ...same, id: their.id }
  })
  // Deleted on the server and changed here: added again.
  const addedAgain = mine.filter(my => isChanged(my) && savedAs(theirs, my) === undefined).map(my => ({ ...my, id: 0 }))
  return [...boxes, ...addedAgain, ...drawn]
}

/** `base` is the state before editing, `theirs` the server's present state. Lists get the changes of both sides. */
export function mergeForms(base: ItemForm, mine: ItemForm, theirs: ItemForm): ItemForm {
  const list = (part: 'category' | 'keywords' | 'author') => {
    if (isSamePart(part, base, mine)) return theirs[part]
    const removed = base[part].filter(word => !mine[part].includes(word))
    const added = mine[part].filter(word => !base[part].includes(word))
    return withEntries(
      theirs[part].filter(word => !removed.some(gone => sameWord(gone, word))),
      added,
    )
  }
  return {
    date: (isSamePart('date', base, mine) ? theirs : mine).date,
    description: (isSamePart('description', base, mine) ? theirs : mine).description,
    place: (isSamePart('place', base, mine) ? theirs : mine).place,
    category: list('category'),
    keywords: list('keywords'),
    author: list('author'),
    boxes: mergeBoxes(base.boxes, mine.boxes, theirs.boxes),
  }
}
