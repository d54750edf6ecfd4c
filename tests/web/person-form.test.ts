import { expect, test } from 'bun:test'
import { followed, overtaken, personChanges, personDraft } from '../../web/state/person-form.ts'

const mia = { id: 7, person: 3, name: 'Mia', active_from: null, active_to: null }
const old = { birthdate: '1990-02-03', names: [mia] }
const draft = personDraft(old)
const [named] = draft.names
const renamed = { ...draft, names: [{ ...(named ?? { key: 0, id: null, from: '', to: '' }), name: 'Mia Berger' }] }

test('who changes the same name of a person is told what it is by now', () => {
  const now = { ...old, names: [{ ...mia, name: 'Mia Ferrer' }] }
  expect(overtaken(renamed, old, now)).toEqual(['The name Mia is ‘Mia Ferrer’'])
  expect(overtaken(renamed, old, { ...old, names: [] })).toEqual(['The name Mia is gone'])
  expect(overtaken(draft, old, now)).toEqual([])
  expect(overtaken({ ...draft, birthdate: '' }, old, { ...old, birthdate: '1991-01-01' })).toEqual([
    'The birthdate is 1991-01-01',
  ])
})

test('what nobody touched here follows, and is not sent back', () => {
  const now = { birthdate: null, names: [mia, { ...mia, id: 8, name: 'Mimi' }] }
  const next = followed(renamed, old, now)
  expect(next.names.map(({ id, name }) => [id, name])).toEqual([
    [7, 'Mia Berger'],
    [8, 'Mimi'],
  ])
  expect(personChanges(now, next)).toMatchObject({ add: [], remove: [], update: [{ id: 7, name: 'Mia Berger' }] })
  expect('birthdate' in personChanges(now, next)).toBe(false)
})
