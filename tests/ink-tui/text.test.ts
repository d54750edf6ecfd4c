import { describe, expect, test } from 'bun:test'
import { alignToEnds, cutLine, fillLine, formatLine, lineWidth } from '../../ink-tui/line.ts'
import { cut, cutFront, dayAndTime, duration, inAscii, pad, safe, timeLeft, widthOf, wrap } from '../../ink-tui/text.ts'
import { sizeText } from '../../schema/figures.ts'

const names = [
  'plain.jpg',
  '北京的春天和夏天.jpg',
  'صور العائلة.jpg',
  'family 👨‍👩‍👧‍👦 👍🏽 ❤️.jpg',
  'Ame\u0301lie a\u0300 Noe\u0308l.jpg',
  'red\u001b[31m\u001b[2J\u001b]0;owned\u0007.jpg',
  'safe\u202egpj.exe.jpg',
  'zero\u200bwidth\u2060\ufeff.jpg',
  'lone \ud83d surrogate \udc00',
  'two\nlines\tand\r\nmore',
  'क्षत्रिय हिन्दी नाम.jpg',
  'বাংলা தமிழ் മലയാളം.jpg',
]

describe('names', () => {
  test('lose their control characters', () => {
    for (const name of names) {
      const shown = safe(name)
      expect(shown).not.toMatch(/[\p{Cc}\p{Cf}\p{Cs}]/u)
    }
    expect(safe('red\u001b[31m')).toBe('red?[31m')
    expect(safe('two\nlines')).toBe('two lines')
    expect(safe('safe\u202egpj')).toBe('safe?gpj')
    expect(safe('👨‍👩‍👧')).toBe('👨👩👧')
    expect(safe('❤️')).toBe('❤')
    expect(safe('Ame\u0301lie')).toBe('Ame\u0301lie')
  })

  test('fill a cell to exactly its width', () => {
    for (const name of names.map(safe))
      for (let width = 1; width < 40; width++) {
        expect(widthOf(pad(name, width))).toBe(width)
        expect(widthOf(pad(name, width, 'end'))).toBe(width)
        expect(widthOf(cut(name, width))).toBeLessThanOrEqual(width)
        expect(widthOf(cutFront(name, width))).toBeLessThanOrEqual(width)
        expect(lineWidth(fillLine([name, { text: name, style: 'bold' }], width))).toBe(width)
      }
  })

  test('have a column for each spacing vowel sign, as on terminals', () => {
    expect(widthOf('क्षत्रिय हिन्दी नाम.jpg')).toBe(20)
    expect(widthOf('বাংলা')).toBe(5)
    expect(widthOf('Ame\u0301lie')).toBe(6)
    expect(widthOf(safe('1\ufe0f\u20e3'))).toBe(1)
  })

  test('are replaced by ASCII of the same width on a terminal without Unicode', () => {
    expect(inAscii('Ame\u0301lie 北京 a long na…')).toBe('Amelie ???? a long na~')
    for (const name of names.map(safe)) expect(inAscii(name).length).toBe(widthOf(name))
  })

  test('are cut between letters, at the end or at the start', () => {
    expect(cut('holiday.jpg', 6)).toBe('holid…')
    expect(cutFront('2019/summer/holiday.jpg', 12)).toBe('…holiday.jpg')
    expect(cut('北京的春天', 6)).toBe('北京…')
    expect(cut('short', 20)).toBe('short')
    expect(cut('x', 0)).toBe('')
  })

  test('are wrapped at words, and a word that is too wide is split', () => {
    expect(wrap('Nothing was marked missing.', 12)).toEqual(['Nothing was', 'marked', 'missing.'])
    expect(wrap('/a/very/long/path is gone', 10)).toEqual(['/a/very/lo', 'ng/path is', 'gone'])
    expect(wrap('', 10)).toEqual([''])
  })
})

describe('lines', () => {
  test('keep their right part and cut the left one', () => {
    const line = alignToEnds(['a name that is long'], ['12 items'], 20)
    expect(lineWidth(line)).toBe(20)
    expect(formatLine(line, 0)).toBe('a name th…  12 items')
  })

  test('write styles in the colours of the terminal', () => {
    expect(formatLine([{ text: 'x', style: 'amber' }], 256)).toBe('\u001b[38;5;215mx\u001b[0m')
    expect(formatLine([{ text: 'x', style: 'amber' }], 16)).toBe('\u001b[33mx\u001b[0m')
    expect(formatLine([{ text: 'x', style: 'amber' }], 0)).toBe('\u001b[1mx\u001b[0m')
    expect(formatLine(['x'], 256)).toBe('x')
    expect(formatLine(['x'], 256, true)).toContain('48;5;236')
    expect(formatLine(['x'], 16, true)).toBe('x')
    expect(formatLine(cutLine(['abc', { text: 'def', style: 'dim' }], 4), 0)).toBe('abc\u001b[2m…\u001b[0m')
  })
})

test('formats sizes, durations and times for people', () => {
  expect([0, 999, 1000, 12_345, 1_400_000, 999_600_000, 59e9].map(size => sizeText(size))).toEqual([
    '0 B',
    '999 B',
    '1 KB',
    '12 KB',
    '1.4 MB',
    '1 GB',
    '59 GB',
  ])
  expect([0.4, 9, 83, 5000].map(timeLeft)).toEqual(['nearly done', '9 s left', '1 min 23 s left', '1 h 23 min left'])
  expect([400, 59_000, 196_000, 7_500_000].map(duration)).toEqual(['0 s', '59 s', '3 min 16 s', '2 h 5 min'])
  const now = new Date(2026, 10, 21, 21, 0).getTime()
  expect(dayAndTime(new Date(2026, 10, 21, 9, 12).getTime(), now)).toBe('Today 09:12')
  expect(dayAndTime(new Date(2026, 10, 20, 22, 40).getTime(), now)).toBe('Yesterday 22:40')
  expect(dayAndTime(new Date(2026, 10, 12).getTime(), now)).toBe('12 November')
  expect(dayAndTime(new Date(2021, 4, 3).getTime(), now)).toBe('3 May 2021')
})
