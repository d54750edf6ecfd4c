import { Database } from 'bun:sqlite'
import { describe, expect, test } from 'bun:test'
import { terminalViewer } from '../../../core/accounts/access.ts'
import { indexedText, matchesValue, matchOf } from '../../../core/filter/words.ts'
import { createItems } from '../../../core/items/items.ts'
import { keystringKey } from '../../../core/words/keystrings.ts'
import { createVocabulary } from '../../../core/words/vocabulary.ts'
import { openTestLibrary } from '../../support/library.ts'

/** Spellings that find each other. */
const pairs: [string, string][] = [
  ['علي', 'علی'],
  ['على', 'علی'],
  ['كتاب', 'کتاب'],
  ['كِتـاب', 'کتاب'],
  ['علی‌رضا', 'علیرضا'],
  ['١٢', '12'],
  ['۱۲', '12'],
  ['İstanbul', 'istanbul'],
  ['ISTANBUL', 'ıstanbul'],
  ['I\u0307zmir', 'Izmir'],
  ['ёлка', 'елка'],
  ['ЁЖ', 'еж'],
  ['Straße', 'strasse'],
  ['STRAẞE', 'Straße'],
  ['ＴＯＫＹＯ５', 'tokyo5'],
  ['ﾄｳｷﾖｳ', 'トウキヨウ'],
  ['ｶﾞｰﾃﾞﾝ', 'ガーデン'],
]

/** A searched text, a text, and whether the first finds the second. */
const others: [string, string, boolean][] = [
  ['東京', '東京タワー', true],
  ['京タ', '東京タワー', true],
  ['東京', '京東', false],
  ['タワー', '東京タワー3', true],
  ['서울', '서울타워', true],
  ['타워', '서울타워', true],
  ['울서', '서울타워', false],
  ['あさ', 'あさくさ', true],
  ['йод', 'иод', false],
  ['иод', 'йод', false],
  ['رضا', 'علی‌رضا', true],
  ['علی رضا', 'علی‌رضا', true],
  ['می‌خواهم', 'می خواهم', true],
  ['istan', 'İstanbul', true],
  ['stras', 'Straße', true],
  ['straßen', 'Strassenbahn', true],
  ['straßen', 'Straße', false],
  ['½', '½', true],
  ['1', '½', false],
]

const cases = [...pairs, ...pairs.map(([a, b]): [string, string] => [b, a])]
  .map(([asked, text]): [string, string, boolean] => [asked, text, true])
  .concat(others)

async function library() {
  const { db, make } = openTestLibrary()
  const collection = await make.collection({ public: true, name: 'Fotoğraf İzmir' })
  const items = createItems({ db })
  const found = (q: string) => items.idsOf(terminalViewer, 0, { q }, { limit: 100 }).ids
  return { db, make, collection, items, found }
}

describe('folded search', () => {
  test('finds spellings of a word by each other, in captions, keywords, people and places', async () => {
    const { make, collection, found } = await library()
    for (const [asked, text, isFound] of cases) {
      const ids = [
        await make.item({ collection, description: `x ${text}` }),
        await make.item({ collection, keywords: [text] }),
        await make.item({ collection, people: [text] }),
        await make.item({ collection, placeName: text }),
      ]
      const hits = new Set(found(asked))
      expect([asked, text, ids.map(id => hits.has(id))]).toEqual([asked, text, ids.map(() => isFound)])
    }
  })

  test('finds words of Persian names in quotes, however they are joined', async () => {
    const { make, collection, found } = await library()
    const joined = await make.item({ collection, description: 'سفر علیرضا' })
    const apart = await make.item({ collection, description: 'سفر علی‌رضا' })
    for (const q of ['"سفر علیرضا"', '"سفر علی‌رضا"']) expect(found(q)).toContain(apart)
    expect(found('"سفر علی‌رضا"').sort()).toEqual([joined, apart].sort())
    expect(found('علی‌رضا -علیرضا')).toEqual([])
  })

  test('takes Persian digits of a year as the year', async () => {
    const { make, collection, found } = await library()
    const item = await make.item({ collection, taken: '2019-05-01' })
    expect(found('۲۰۱۹')).toEqual([item])
  })

  test('folds names of albums, collections and folders, and words of cameras', async () => {
    const { db, make, collection, found } = await library()
    const item = await make.item({ collection, folder: '2019/Kızılay/Straße', camera: 'Кинап Ёлка' })
    await make.item({ collection: await make.collection(), folder: '2019/Kizil' })
    for (const q of ['folder:kizilay', 'folder:KIZILAY/strasse', 'folder:="2019/KİZİLAY"', 'camera:елка'])
      expect(found(q)).toEqual([item])
    expect(found('in:"fotoğraf ızmir"')).toEqual([item])
    expect(createVocabulary(db).lookups(terminalViewer).foldersNamed('kizil', false)).toHaveLength(1)
  })

  test('never decides which keystring is meant', async () => {
    const { db, make, collection, found } = await library()
    const arabic = await make.item({ collection, keywords: ['علي'] })
    const persian = await make.item({ collection, keywords: ['علی'] })
    expect(await make.keystring('علي')).not.toBe(await make.keystring('علی'))
    expect(keystringKey('Straße')).not.toBe(keystringKey('Strasse'))
    expect(db.all<{ n: number }>('SELECT count(*) AS n FROM keystrings')).toEqual([{ n: 2 }])
    expect(found('keyword:علي').sort()).toEqual([arabic, persian].sort())
    expect(found('keyword:="علي"')).toEqual([arabic])
    expect(found('keyword:="علی"')).toEqual([persian])
  })

  test('finds prefixes within runs, and rare words by long prefixes', async () => {
    const { make, collection, found } = await library()
    const tower = await make.item({ collection, keywords: ['東京タワーABC'] })
    const street = await make.item({ collection, keywords: ['Straßenbahn'] })
    expect(found('東京タワーab')).toEqual([tower])
    expect(found('タワーab')).toEqual([tower])
    expect(found('タワーb')).toEqual([])
    // Replaced by the words of the index.
    expect(found('strassenb')).toEqual([street])
    expect(found('straßenb')).toEqual([street])
    expect(found('straßenx')).toEqual([])
  })
})

describe('matching without the index', () => {
  const values = [...new Set([...cases.map(([asked]) => asked), ...cases.map(([, text]) => text)])].concat([
    'Ágnes Őrült',
    'ΟΔΟΣ οδός',
    'łódź',
    'हिन्दी',
    'ภาษาไทย',
    'שָׁלוֹם',
    "o'neill A_b",
    'soft\u00adhyphen a\u0332b',
  ])

  test('finds what the index finds', () => {
    const db = new Database(':memory:')
    db.run(`CREATE VIRTUAL TABLE t USING fts5(description, content = '', contentless_delete = 1,
      tokenize = 'unicode61 remove_diacritics 2', prefix = '3 4')`)
    for (const [at, value] of values.entries())
      db.run('INSERT INTO t (rowid, description) VALUES (?, ?)', [at, indexedText(value)])
    const asked = values.flatMap(value => [value, value.slice(0, 2), value.slice(1), value.toUpperCase()])
    for (const text of asked)
      for (const phrase of [false, true]) {
        const match = matchOf({ is: 'text', text, phrase, columns: ['description'] }) ?? ''
        const rows = db.query<{ id: number }, [string]>('SELECT rowid AS id FROM t WHERE t MATCH ?').all(match)
        const expected = values.filter(value => matchesValue({ text, phrase }, value))
        expect([text, phrase, rows.map(({ id }) => values[id] ?? '')]).toEqual([text, phrase, expected])
      }
    db.close()
  })

  test('splits and compares every letter of common scripts as the tokenizer does', () => {
    const db = new Database(':memory:')
    db.run("CREATE VIRTUAL TABLE t USING fts5(a, content = '', tokenize = 'unicode61 remove_diacritics 2')")
    db.run('CREATE VIRTUAL TABLE v USING fts5vocab(t, instance)')
    const script =
      /[\p{Script=Latin}\p{Script=Greek}\p{Script=Cyrillic}\p{Script=Arabic}\p{Script=Hebrew}\p{Script=Thai}\p{Script=Devanagari}\p{Script=Hiragana}\p{Script=Katakana}]/u
    const letters = Array.from({ length: 0x3200 }, (_, code) => String.fromCodePoint(code)).filter(
      letter => script.test(letter) && /\p{L}/u.test(letter),
    )
    for (const [at, letter] of letters.entries())
      db.run('INSERT INTO t (rowid, a) VALUES (?, ?)', [at, indexedText(`x${letter}y`)])
    const terms = db.query<{ doc: number; term: string }, []>('SELECT doc, term FROM v ORDER BY doc, offset').all()
    const wordsOf = Map.groupBy(terms, ({ doc }) => doc)
    const words = letters.map((_, at) => (wordsOf.get(at) ?? []).map(({ term }) => term).join(' '))
    const textOf = new Map(letters.map((letter, at) => [letter, words[at]]))
    const differing = letters.filter((letter, at) => {
      const found = matchesValue({ text: words[at] ?? '', phrase: true }, `x${letter}y`)
      const base = letter.normalize('NFD').charAt(0)
      const isBase = matchesValue({ text: `x${base}y`, phrase: true }, `x${letter}y`)
      return !found || (textOf.has(base) && isBase !== (textOf.get(base) === words[at]))
    })
    // Letters with two accents and old forms of letters, which are compared more or less strictly.
    expect(differing.join('')).toBe('ſǠǡǢǣǮǯǼǽǾǿϐϑϕϖϰϱϵẛ')
    db.close()
  })
})
