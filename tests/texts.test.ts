import { describe, expect, test } from 'bun:test'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { createElement, isValidElement } from 'react'
import { renderToStaticMarkup } from 'react-dom/server'
import { baseTexts } from '../web/texts/base.ts'
import { texts } from '../web/texts/catalogue.ts'

/** The texts of the specification, word for word, with named placeholders. */
const specified = [
  '24 Hours',
  '48 Hours',
  'A network error caused the video download to fail.',
  'A week',
  'Admin',
  'All',
  'An error occurred',
  'An unknown error occurred.',
  'Are you sure you wish to delete this item',
  'Author',
  'Bulk Tag',
  'Cancel',
  'Category',
  'Close',
  'Collections',
  'Copy to clipboard',
  'Create',
  'Create Collection',
  'Delete',
  'Deleted',
  'Devices',
  'Download',
  'Download Current',
  'Edit',
  'Edit Metadata',
  'Edit Profile',
  'Face recognition',
  'Failed to add object',
  'Failed to add person',
  'Failed to create share',
  'Failed to delete collection',
  'Failed to download image',
  'Failed to export collection',
  'Failed to export metadata for collection',
  'Failed to export people',
  'Failed to import collection',
  'Failed to import metadata for collection',
  'Failed to load Item: {id}',
  'Failed to load On This Day',
  'Failed to load all keystrings',
  'Failed to load geojson features',
  'Failed to load items',
  'Failed to load keystrings',
  'Failed to load objects',
  'Failed to load person data',
  'Failed to load plugin options',
  'Failed to load property names',
  'Failed to remove object',
  'Failed to remove person',
  'Failed to remove unused people',
  'Failed to renew session',
  'Failed to rotate image',
  'Failed to save category',
  'Failed to save collection',
  'Failed to save date and time',
  'Failed to save description',
  'Failed to save keystring',
  'Failed to save keywords',
  'Failed to save location',
  'Failed to save plugin options',
  'Failed to scan collection',
  'Failed to sort collection',
  'Failed to start transferring items to collection',
  'Failed to toggle plugin',
  'Failed to unlock',
  'Failed to update your profile',
  'Home',
  'Image copied to clipboard',
  'Image not found',
  'Incorrect password',
  'Infinite Scroll',
  'Invalid config data format',
  'Item Bulk Tag',
  'Item Metadata',
  'Item Tag Replace',
  'Keywords',
  'Kilometers',
  'Large',
  'Loading',
  'Locate on Map',
  'Log',
  'Login',
  'Login Failed',
  'Logout',
  'Manage Tags',
  'Management',
  'Medium',
  'Meters',
  'Missing Items',
  'Name',
  'Name is required',
  'New password and confirmation do not match.',
  'No Collections',
  'No Items',
  'No items available',
  'No items today!',
  'No missing items',
  'No name available',
  'No screen saver selected',
  'On this day',
  'Open original',
  'Options',
  'Paging',
  'Password does not match',
  'Password must be at least 2 characters',
  'People',
  'Permission Denied',
  'Play',
  'Play Videos',
  'Plugins',
  'Prefix is required',
  'Public cannot be set on the first group',
  'Re-Tagging, please stand by',
  'Recycle Bin',
  'Recycle bin is empty',
  'Register',
  'Register Token',
  'Registration failed. Please try again.',
  'Registration successful!',
  'Rename',
  'Replace Tag',
  'Save',
  'Save Device',
  'Screen Saver',
  'Select Current',
  'Select {label}',
  'Settings',
  'Share',
  'Share link copied to clipboard',
  'Shared link is not active',
  'Show hidden items',
  'Small',
  'Start Replacing Tags',
  'Tag Options',
  'That username is not available.',
  'The video could not be loaded, either because the server or network failed or because the format is not supported.',
  'The video playback was aborted due to a corruption problem or because the video used features your browser did not support.',
  'The video playback was aborted.',
  'Tiny',
  'Today',
  'Token',
  'Transfer Items',
  'Unable to load collection',
  'Unable to load users',
  'Unknown server error',
  'Update failed. Please try again.',
  'User Registration Failed',
  'Username is required',
  'Variant',
  'Will be deleted',
  'With Tag',
  'World Map',
  'Yes, {who}',
  'km',
  'object',
  'of {total}',
  'person',
  'video',
  '{count} of {total} selected',
  '{done} of {total}',
  '{product} server is currently not available',
  '{time} of {length}',
]

const folder = join(import.meta.dir, '../web/texts')
const areas = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter(
  name =>
    name.endsWith('.ts') &&
    !name.includes('translations/') &&
    /\btexts\('/.test(readFileSync(join(folder, name), 'utf8')) &&
    name !== 'names.ts',
)
const sources = new Map(areas.map(name => [name, readFileSync(join(folder, name), 'utf8')]))

/** The string values in a part of a catalogue. */
function stringsIn(source: string): string[] {
  const found = source.matchAll(/: *\n? *(?:'((?:[^'\\]|\\.)*)'|"((?:[^"\\]|\\.)*)")/g)
  return [...found].map(([, single, double]) => (single ?? double ?? '').replace(/\\(.)/g, '$1'))
}

describe('the catalogue', () => {
  test('has every specified text, word for word, in its marked section', () => {
    const marked = [...sources.values()].flatMap(source => {
      const from = source.indexOf('// Specified, to the letter:')
      return from === -1 ? [] : stringsIn(source.slice(from, source.indexOf('// Ours:')))
    })
    expect([...new Set(marked)].sort()).toEqual([...specified].sort())
  })

  test('has no text twice in an area', () => {
    const twice = [...sources].flatMap(([name, source]) => {
      const all = stringsIn(source)
      return all.filter((text, at) => all.indexOf(text) !== at).map(text => `${name}: ${text}`)
    })
    expect(twice).toEqual([])
  })
})

describe('texts', () => {
  const sample = texts('sample', {
    close: 'Close',
    moved: 'From {from} to {to}',
    items: { one: '{count} item of {name}', other: '{count} items of {name}' },
  })

  test('without placeholders are strings', () => expect(sample.close).toBe('Close'))

  test('fill in their placeholders', () => expect(sample.moved({ from: 'a{to}', to: 'b' })).toBe('From a{to} to b'))

  test('use the plural form for their count, with grouped digits', () => {
    expect([0, 1, 1234].map(count => sample.items({ count, name: 'Family' }))).toEqual([
      '0 items of Family',
      '1 item of Family',
      '1,234 items of Family',
    ])
  })

  test('accept React elements as values', () => {
    const filled = sample.moved({ from: createElement('b', null, 'a'), to: 2000 })
    expect(isValidElement(filled)).toBe(true)
    expect(renderToStaticMarkup(createElement('p', null, filled))).toBe('<p>From <b>a</b> to 2,000</p>')
  })

  test('of the pages have typed placeholders', () => {
    expect(baseTexts.failedToLoadItem({ id: '12' })).toBe('Failed to load Item: 12')
    // @ts-expect-error: the placeholder is called id
    baseTexts.failedToLoadItem({ name: '12' })
    // @ts-expect-error: a count is a number
    baseTexts.itemCount({ count: '2' })
  })
})
