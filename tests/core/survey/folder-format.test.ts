import { describe, expect, test } from 'bun:test'
import { foldersOf, isNumbered, safeFolder, stemOf } from '../../../core/survey/folder-format.ts'
import { secondsOf } from '../../support/library.ts'

const august = secondsOf('2019-08-01 14:22:33')

describe('folders', () => {
  const cases: [format: string, category: string | null, expected: string][] = [
    ['', null, ''],
    ['{Year}', null, '2019'],
    ['{Year}/{Month}', null, '2019/08'],
    ['{Year}/{MonthName}', null, '2019/August'],
    ['{Year}-{Month}', null, '2019-08'],
    ['pictures/{Year}', null, 'pictures/2019'],
    ['/{Year}//{Month}/', null, '2019/08'],
    ['{Year}{Month}', null, '201908'],
    ['{Category}/{Year}', 'Holidays', 'Holidays/2019'],
    // Without a category, its folder and separators are omitted.
    ['{Year}/{Category}', null, '2019'],
    ['{Year}-{Category}', null, '2019'],
    ['{Category}_{Year}', null, '2019'],
    ['{Category}', null, ''],
    ['{Year}/{Category}', '...', '2019'],
    ['{Year}/{Category}', 'Trips/Italy', '2019/Trips-Italy'],
    ['{Year}/{Category}', '../../etc', '2019/-..-etc'],
    ['{Year}/{Category}', 'a\\b:c*?"<>|', '2019/a-b-c------'],
    ['{Year}/{Category}', 'con', '2019/con_'],
    ['{Year}/{Category}', 'Été', '2019/Été'],
  ]
  for (const [format, category, expected] of cases) {
    test(`'${format}' with ${category === null ? 'no category' : `'${category}'`} is '${expected}'`, () => {
      expect(foldersOf(format, { taken: august, category }).join('/')).toBe(expected)
    })
  }

  test('month names are English, whatever the locale', () => {
    const names = Array.from({ length: 12 }, (_, n) =>
      foldersOf('{MonthName}', { taken: Date.UTC(2020, n, 15) / 1000, category: null }).join(),
    )
    expect(names).toEqual([
      'January',
      'February',
      'March',
      'April',
      'May',
      'June',
      'July',
      'August',
      'September',
      'October',
      'November',
      'December',
    ])
  })

  test('dates before 1970 and at the turn of a year are in the right year', () => {
    const folder = (text: string) => foldersOf('{Year}/{Month}', { taken: secondsOf(text), category: null }).join('/')
    expect(folder('1899-12-31 23:59:59')).toBe('1899/12')
    expect(folder('1969-12-31 23:59:59')).toBe('1969/12')
    expect(folder('2020-01-01 00:00:00')).toBe('2020/01')
  })
})

describe('a folder named after a keystring', () => {
  const cases: [word: string, expected: string][] = [
    ['Summer', 'Summer'],
    ['  Summer  ', 'Summer'],
    ['.hidden', 'hidden'],
    ['trailing. .', 'trailing'],
    ['..', ''],
    ['', ''],
    ['a\u0000b\nc', 'a-b-c'],
    ['left\u202eright', 'leftright'],
    ['\u200b\u00ad', ''],
    ['\u3164 \u2800', ''],
    ['NUL', 'NUL_'],
    ['nul.txt', 'nul_.txt'],
    ['COM7', 'COM7_'],
    ['Console', 'Console'],
    // Scans would ignore folders with these names.
    ['@eaDir', '@eaDir_'],
    ['lost+found', 'lost+found_'],
    ['e\u0301te\u0301', 'été'],
  ]
  for (const [word, expected] of cases) {
    test(`${JSON.stringify(word)} is ${JSON.stringify(expected)}`, () => {
      expect(safeFolder(word)).toBe(expected)
    })
  }

  test('a long name is cut between characters', () => {
    const folder = safeFolder('ü'.repeat(500))
    expect(Buffer.byteLength(folder)).toBeLessThanOrEqual(120)
    expect(folder).toBe('ü'.repeat(60))
  })
})

describe('file names', () => {
  test('consist of prefix, date and time', () => {
    expect(stemOf('IMG_', { taken: august, category: null })).toBe('IMG_20190801_142233')
    expect(stemOf('', { taken: august, category: null })).toBe('20190801_142233')
  })

  test('a prefix can neither hide a file nor contain unsafe characters, and a long one is cut', () => {
    expect(stemOf('.', { taken: august, category: null })).toBe('20190801_142233')
    expect(stemOf('a:b', { taken: august, category: null })).toBe('a-b20190801_142233')
    expect(Buffer.byteLength(stemOf('漢'.repeat(100), { taken: august, category: null }))).toBeLessThan(200)
  })

  const cases: [stem: string, expected: boolean][] = [
    ['IMG_20190801_142233', true],
    ['img_20190801_142233', true],
    ['IMG_20190801_142233_2', true],
    ['IMG_20190801_142233_17', true],
    ['IMG_20190801_142233_1', false],
    ['IMG_20190801_142233_02', false],
    ['IMG_20190801_142233_', false],
    ['IMG_20190801_142233_2_2', false],
    ['IMG_20190801_1422334', false],
    ['IMG_20190801_142234', false],
  ]
  for (const [stem, expected] of cases) {
    test(`${stem} is ${expected ? 'the wanted name' : 'another name'}`, () => {
      expect(isNumbered(stem, 'IMG_20190801_142233')).toBe(expected)
    })
  }
})
