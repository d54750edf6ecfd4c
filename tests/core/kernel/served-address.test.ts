import { expect, test } from 'bun:test'
import { servedAddress, setServedAddress } from '../../../core/kernel/served-address.ts'
import { openTestLibrary } from '../../support/library.ts'

test('the latest address of the server is stored', async () => {
  const { db } = openTestLibrary()
  expect(servedAddress(db)).toBeNull()
  await setServedAddress(db, 'http://one:4480')
  await setServedAddress(db, 'http://two:4480')
  expect(servedAddress(db)).toBe('http://two:4480')
})
