import { expect, test } from 'bun:test'
import { existsSync } from 'node:fs'
import { isRunning, ownIdentity } from '../../../core/kernel/process-identity.ts'

const pidLimit = 2 ** 23

test('this process has a constant identity and counts as running', () => {
  expect(ownIdentity()).toBe(ownIdentity())
  expect(ownIdentity() % pidLimit).toBe(process.pid)
  expect(Number.isSafeInteger(ownIdentity())).toBe(true)
  expect(isRunning(ownIdentity())).toBe(true)
})

test('a process that has ended is not running', async () => {
  const ended = Bun.spawn(['true'])
  await ended.exited
  expect(isRunning(ended.pid)).toBe(false)
})

test('a process that reuses the id of an ended one has another identity', () => {
  if (!existsSync('/proc/self/stat')) return expect(isRunning(ownIdentity() + pidLimit)).toBe(true)
  expect(isRunning(ownIdentity() + pidLimit)).toBe(false)
})

test('a plain process id, as earlier versions recorded it, is accepted', () => {
  expect(isRunning(process.pid)).toBe(true)
})
