import { expect, test } from 'bun:test'
import { join } from 'node:path'
import { packageDirectoriesOf, thirdPartyNotices } from '../../build/packages.ts'
import { projectRoot } from '../support/source-tree.ts'

const modules = join(projectRoot, 'node_modules')

test('finds the packages of a bundle by their innermost folder', () => {
  const inputs = [
    'core/library.ts',
    'node_modules/hono/dist/index.js',
    'node_modules/hono/dist/router.js',
    'node_modules/@img/colour/index.cjs',
    'node_modules/wrap-ansi/node_modules/ansi-styles/index.js',
  ]
  expect([...packageDirectoriesOf(inputs)]).toEqual([
    join(modules, 'hono'),
    join(modules, '@img/colour'),
    join(modules, 'wrap-ansi/node_modules/ansi-styles'),
  ])
})

test('lists each package once, with its version, licence and licence text', () => {
  const text = thirdPartyNotices([join(modules, 'sharp'), join(modules, 'hono'), join(modules, 'hono')])
  expect(text.match(/^hono \d+\.\d+\.\d+\nLicence: MIT$/gm)).toHaveLength(1)
  expect(text).toContain('Permission is hereby granted, free of charge')
  expect(text).toMatch(/^sharp [\s\S]*Apache License/m)
  expect(text.indexOf('\nhono ')).toBeLessThan(text.indexOf('\nsharp '))
  expect(text).toContain(`Bun ${Bun.version}`)
})

test('includes the list of linked libraries of libvips, which has no licence file', () => {
  const [libvips = ''] = new Bun.Glob('@img/sharp-libvips-*').scanSync({ cwd: modules, onlyFiles: false })
  expect(thirdPartyNotices([join(modules, libvips)])).toContain('LGPL')
})
