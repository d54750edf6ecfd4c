import { describe, expect, test } from 'bun:test'
import { addressKey, isInNetwork, plainAddress } from '../../../core/accounts/client-address.ts'

describe('the key of a client', () => {
  test.each([
    ['203.0.113.7', '203.0.113.7'],
    ['::ffff:203.0.113.7', '203.0.113.7'],
    ['2001:db8:1:2:3:4:5:6', '2001:0db8:0001:0002::/64'],
    ['2001:db8:1:2::', '2001:0db8:0001:0002::/64'],
    ['2001:DB8:1:2:ffff::9', '2001:0db8:0001:0002::/64'],
    ['fe80::1%eth0', 'fe80:0000:0000:0000::/64'],
    ['::1', '0000:0000:0000:0000::/64'],
    ['', ''],
    ['unix', 'unix'],
  ])('with address %p is %p', (address, key) => expect(addressKey(address)).toBe(key))
})

describe('networks', () => {
  test.each([
    ['10.1.2.3', '10.0.0.0/8', true],
    ['11.1.2.3', '10.0.0.0/8', false],
    ['::ffff:10.1.2.3', '10.0.0.0/8', true],
    ['192.168.1.5', '192.168.1.5', true],
    ['192.168.1.6', '192.168.1.5', false],
    ['192.168.1.6', '0.0.0.0/0', true],
    ['fd00:1::2', 'fd00::/8', true],
    ['fe00:1::2', 'fd00::/8', false],
    ['::1', '::1', true],
    ['10.1.2.3', 'fd00::/8', false],
    ['64:ff9b::192.0.2.1', '64:ff9b::c000:201', true],
    ['', '10.0.0.0/8', false],
  ])('%p is in %p: %p', (address, network, isIn) => expect(isInNetwork(address, network)).toBe(isIn))

  test('an IPv4-mapped IPv6 address is formatted as IPv4', () => {
    expect(plainAddress('::ffff:127.0.0.1')).toBe('127.0.0.1')
    expect(plainAddress('::1')).toBe('::1')
  })
})
