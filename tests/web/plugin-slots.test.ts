import { expect, test } from 'bun:test'
import {
  addTo,
  entriesFor,
  pluginAddress,
  pluginEntries,
  pluginScreenAt,
  pluginScreens,
  uniqueText,
} from '../../web/app/plugin-slots.ts'

const plugin = { id: 3, name: 'Statistics' }
const component = () => null

test('finds screens by their address, with and without a trailing slash', () => {
  const undo = addTo(pluginScreens, {
    key: 'a',
    plugin,
    host: {},
    address: pluginAddress(3, 'years'),
    title: 'Years',
    component,
  })
  expect(pluginScreenAt('/plugin/3/years')?.title).toBe('Years')
  expect(pluginScreenAt('/plugin/3/years/')?.title).toBe('Years')
  for (const other of ['/plugin/3', '/plugin/3/year', '/plugin/30/years', '/']) expect(pluginScreenAt(other)).toBeNull()
  expect(pluginAddress(3, '')).toBe('/plugin/3')
  undo()
  undo()
  expect(pluginScreenAt('/plugin/3/years')).toBeNull()
})

test('shows menu entries only to the users they are for', () => {
  const undos = (['all', 'signedIn', 'globalAdmin'] as const).map(who =>
    addTo(pluginEntries, { key: who, plugin, host: {}, label: who, address: '/plugin/3', who }),
  )
  const labels = (signedIn: boolean, globalAdmin: boolean) =>
    entriesFor({ signedIn, globalAdmin }).map(({ label }) => label)
  expect(labels(false, false)).toEqual(['all'])
  expect(labels(true, false)).toEqual(['all', 'signedIn'])
  expect(labels(true, true)).toEqual(['all', 'signedIn', 'globalAdmin'])
  for (const undo of undos) undo()
  expect(labels(true, true)).toEqual([])
})

test('a label that another plugin has gets the name of its own plugin', () => {
  expect(uniqueText('Count', 'B', [])).toBe('Count')
  expect(uniqueText('Count', 'B', ['Count'])).toBe('Count (B)')
  expect(uniqueText('Count', 'B', ['Count', 'Count (B)'])).toBe('Count (B) 2')
})
