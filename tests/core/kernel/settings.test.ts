import { describe, expect, test } from 'bun:test'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { dataDirectory, readSettings } from '../../../core/kernel/settings.ts'
import { environmentName, settingNames } from '../../../schema/settings.ts'
import { temporaryDirectory } from '../../support/temporary.ts'

function withConfig(text: string): string {
  const data = temporaryDirectory()
  writeFileSync(join(data, 'config.toml'), text)
  return data
}

describe('settings', () => {
  test('flags override the environment, then config.toml, then defaults, and each origin is reported', () => {
    const data = withConfig(
      'listen = "127.0.0.1:1111"\nscan_every = "12h"\n[map]\ntiles = "https://tiles.example/{z}/{x}/{y}"\n',
    )
    const environment = { KEEPSAKE_LISTEN: '127.0.0.1:2222', KEEPSAKE_REGISTRATION: 'closed' }
    const { values, origins } = readSettings(data, { flags: { listen: '127.0.0.1:3333' }, environment })
    expect(values.listen).toEqual({ host: '127.0.0.1', port: 3333 })
    expect(values.registration).toBe('closed')
    expect(values.scan_every).toBe(43_200)
    expect(values['map.tiles']).toBe('https://tiles.example/{z}/{x}/{y}')
    expect(values['files.maxFileSize']).toBe(10 * 1024 ** 3)
    expect(origins.listen).toBe('flag --listen')
    expect(origins.registration).toBe('environment KEEPSAKE_REGISTRATION')
    expect(origins.scan_every).toBe(join(data, 'config.toml'))
    expect(origins.recycle_days).toBe('default')
  })

  test('the default address is 0.0.0.0:4480', () => {
    expect(readSettings(temporaryDirectory()).values.listen).toEqual({ host: '0.0.0.0', port: 4480 })
  })

  test('every default is valid and every setting has its own environment variable', () => {
    expect(() => readSettings(temporaryDirectory())).not.toThrow()
    expect(new Set(settingNames.map(environmentName)).size).toBe(settingNames.length)
    expect(environmentName('files.maxFileSize')).toBe('KEEPSAKE_FILES_MAX_FILE_SIZE')
  })

  for (const [what, text, message] of [
    ['an unknown setting', 'lissten = "x"', /lissten.*Did you mean 'listen'/],
    ['a malformed setting', 'scan_every = "often"', /scan_every.*config\.toml.*"often"/],
    ['a file that is not TOML', 'listen = = 3', /config\.toml is not valid TOML/],
  ] as const) {
    test(`${what} is an error that names the key and the file`, () => {
      expect(() => readSettings(withConfig(text))).toThrow(message)
    })
  }

  test.each([
    ['trusted_proxies', '["10.0.0.0/8", "::1", "192.168.0.1", "fd00::/8"]'],
    ['hosts', '["pictures.lan", "nas", "münchen.example"]'],
    ['base_url', '"https://pictures.example:8443"'],
    ['base_url', '""'],
  ])('%p may be %p', (name, value) => expect(() => readSettings(withConfig(`${name} = ${value}`))).not.toThrow())

  test.each([
    ['trusted_proxies', '["10.0.0.0/33"]', /trusted_proxies.*config\.toml.*addresses or networks/],
    ['trusted_proxies', '["proxy"]', /trusted_proxies/],
    ['trusted_proxies', '["10.0.0/8"]', /trusted_proxies/],
    ['trusted_proxies', '["::ffff:10.0.0.0/104"]', /trusted_proxies/],
    ['hosts', '["https://pictures.lan"]', /hosts.*names, like/],
    ['hosts', '["pictures.lan:4480"]', /hosts/],
    ['hosts', '[""]', /hosts/],
    ['base_url', '"pictures.example"', /base_url.*a whole address, like/],
    ['base_url', '"ftp://pictures.example"', /base_url/],
  ])('%p may not be %p', (name, value, message) =>
    expect(() => readSettings(withConfig(`${name} = ${value}`))).toThrow(message),
  )

  test('a misspelt environment variable is reported, not ignored', () => {
    expect(() => readSettings(temporaryDirectory(), { environment: { KEEPSAKE_LISTENN: 'x' } })).toThrow(
      /Did you mean KEEPSAKE_LISTEN/,
    )
  })
})

describe('the data directory', () => {
  test('is the flag, else KEEPSAKE_DATA, else the data home', () => {
    expect(dataDirectory('/a', { KEEPSAKE_DATA: '/b' }).path).toBe('/a')
    expect(dataDirectory(undefined, { KEEPSAKE_DATA: '/b', XDG_DATA_HOME: '/c' }).path).toBe('/b')
    expect(dataDirectory(undefined, { XDG_DATA_HOME: '/c' }).path).toBe('/c/keepsake')
    expect(dataDirectory(undefined, { HOME: '/home/ines' }).path).toBe('/home/ines/.local/share/keepsake')
  })
})
