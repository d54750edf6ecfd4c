import { expect, test } from 'bun:test'
import { ownCountryName, ownNamesOfCountries } from '../../web/places/country-name.ts'

test('a country has its name in the language of the page', () => {
  expect(ownNamesOfCountries('fa').get('Germany')).toBe('آلمان')
  expect(ownNamesOfCountries('tr').get('United States')).toBe('Amerika Birleşik Devletleri')
  expect(ownNamesOfCountries('zh-Hans').get('France')).toBe('法国')
})

test('other texts stay as they are', () => {
  expect(ownCountryName('Home')).toBe('Home')
  expect(ownCountryName('Germany')).toBe('Germany')
})
