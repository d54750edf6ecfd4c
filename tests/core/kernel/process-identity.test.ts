import { expect, test } from 'bun:test'
import { existsSync } from 'node:fs'
import { isRunning, ownIdentity } from '../../../core/kernel/process-identity.ts'

const numbers = 2 ** 23

test('a process knows itself, and has one identity', () => {
  expect(ownIdentity()).toBe(ownIdentity())
  expect(ownIdentity() % numbers).toBe(process.pid)
  expect(Number.isSafeInteger(ownIdentity())).toBe(true)
  expect(isRunning(ownIdentity())).toBe(true)
})

test('a process that has ended is not running', async () => {
  const ended = Bun.spawn(['true'])
  await ended.exited
  expect(isRunning(ended.pid)).toBe(false)
})

test('another process with the number of one that is gone is not that one', () => {
  if (!existsSync('/proc/self/stat')) return expect(isRunning(ownIdentity() + numbers)).toBe(true)
  expect(isRunning(ownIdentity() + numbers)).toBe(false)
})

test('a number alone, as earlier versions noted it, has to do', () => {
  expect(isRunning(process.pid)).toBe(true)
})
