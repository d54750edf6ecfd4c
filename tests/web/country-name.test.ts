import { expect, test } from 'bun:test'
import { ownCountryName } from '../../web/map/country-name.ts'

test('a country has its name in the language of the page', () => {
  expect(ownCountryName('Germany', 'fa')).toBe('آلمان')
  expect(ownCountryName('United States', 'tr')).toBe('Amerika Birleşik Devletleri')
  expect(ownCountryName('France', 'zh-Hans')).toBe('法国')
})

test('names that the map shortens are known', () => {
  expect(ownCountryName('Dem. Rep. Congo', 'de')).toBe('Kongo-Kinshasa')
  expect(ownCountryName('Turkey', 'tr')).toBe('Türkiye')
})

test('other texts, and English pages, keep the name', () => {
  expect(ownCountryName('Home', 'de')).toBe('Home')
  expect(ownCountryName('Turkey', 'en-GB')).toBe('Turkey')
})
