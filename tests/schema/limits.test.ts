import { expect, test } from 'bun:test'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { defaultSearchTags, fileWidget, limits, searchableTags } from '../../schema/limits.ts'

/** Name, value in the code, specified value. */
const constants: [string, unknown, unknown][] = [
  ['username length', limits.usernameLength, 20],
  ['name length', limits.nameLength, 40],
  ['minimum password length', limits.minPassword, 3],
  ['PIN length', limits.pinLength, 4],
  ['renewal before expiry', limits.renewBeforeSeconds, 10 * 60],
  ['status notification', limits.statusNotificationMs, 15_000],
  ['client toast', limits.clientToastMs, 5000],
  ['registration dialog', limits.registeredDialogMs, 9000],
  ['error and profile-update messages', limits.errorMessageMs, 3000],
  ['reload after a change', limits.reloadAfterChangeMs, 20_000],
  ['loading flag', limits.loadingFlagMs, 500],
  ['window-view refresh debounce', limits.windowRefreshMs, 500],
  ['radius debounce', limits.radiusDebounceMs, 500],
  ['default page size', limits.pageSize, 10],
  ['page size of Select Current', limits.selectPageSize, 200],
  ['page choices', limits.pageSizes, [10, 50, 100, 500]],
  ['pages shown', limits.pagesShown, 9],
  ['geojson page size', limits.geojsonPageSize, 5000],
  ['share hours', limits.shareHours, [24, 48, 168]],
  ['colours of years', limits.yearColours, 11],
  ['people per page', limits.peoplePageSize, 15],
  ['transfer page size', limits.transferPageSize, 100],
  ['double click on a chip', limits.chipDoubleClickMs, 200],
  ['years of names', [limits.minPersonYear, limits.maxPersonYear], [1700, 2050]],
  ['characters before suggestions', limits.suggestionsFrom, 3],
  ['cluster zoom', limits.map.clusterMaxZoom, 14],
  ['cluster radius', limits.map.clusterRadius, 50],
  ['cluster colours', limits.map.clusterColours, [100, 750]],
  ['zoom at a chosen position', limits.map.jumpZoom, 13],
  ['zoom at a search result', limits.map.searchZoom, 16],
  ['popup width', limits.map.popupWidth, 350],
  ['radius slider', [limits.minRadius, limits.maxRadius], [0.1, 1000]],
  ['default radius', limits.radiusMetres, 1000],
  ['radius reset', limits.radiusReset, 100],
  ['smallest geo range', limits.minRange, 1],
  ['default search tags', defaultSearchTags, ['Keywords', 'Category', 'People']],
  ['searchable tags', searchableTags, ['Keywords', 'Category', 'People', 'Author']],
  ['items per row', limits.itemsPerRow, { xs: 1, sm: 2, md: 2, lg: 3, xl: 4, xxl: 6 }],
  ['header height', limits.headerHeight, 48],
  ['card height', limits.cardHeight, { xs: 430, other: 455 }],
  ['screen saver attempts', limits.saverAttempts, 3],
  ['screen saver play', [limits.minSaverPlay, limits.maxSaverSeconds, limits.saverPlaySeconds], [5, 60, 15]],
  ['screen saver create', [limits.minSaverPlay, limits.maxSaverSeconds, limits.saverSeconds], [5, 60, 5]],
  ['screen saver settings', [limits.minSaverSeconds, limits.maxSaverSeconds], [2, 60]],
  ['earliest filter year', limits.minFilterYear, 1700],
  ['earliest item year', limits.minItemYear, 1800],
  ['configured confidence of faces', limits.faces.confidence, 0.7],
  ['face confidence', [limits.faces.minSlider, limits.faces.maxSlider, limits.faces.slider], [1, 10, 5]],
  ['faces on a picture', limits.faces.maxPerPicture, 100],
  ['face matches', limits.faces.top, 5],
  [
    'likeness of faces',
    [limits.faces.order, limits.faces.multiplier, limits.faces.min, limits.faces.max],
    [2, 20, 0.2, 0.8],
  ],
  ['number of matching faces that a name must exceed', limits.faces.matchesForName, 5],
  ['tolerance of regions', limits.faces.tolerance, 5],
  ['toast of the file manager', fileWidget.toastMs, 5000],
  ['search debounce', fileWidget.searchDebounceMs, 400],
  ['long press', fileWidget.longPressMs, 500],
  ['length of the breadcrumb', fileWidget.maxBreadcrumb, 5],
  ['characters of names in the grid', fileWidget.gridNameCharacters, 14],
  ['largest file of the widget', fileWidget.maxFileSize, '10mb'],
  ['height of the widget', fileWidget.maxHeight, '400px'],
  ['minimum size of the explorer area', fileWidget.explorerLeastPx, 150],
  ['loading distance of thumbnails', fileWidget.thumbnailAheadPx, 300],
  ['crop output', fileWidget.crop, { width: 795, height: 341 }],
  ['highest view mode', fileWidget.maxViewMode, 3],
  ['image preview', fileWidget.maxImage, '50vh'],
  ['PDF viewer', fileWidget.pdfHeight, '60vh'],
  ['start path', fileWidget.startPath, '/'],
]

for (const [name, actual, specified] of constants) {
  test(`${name} has the specified value`, () => expect<unknown>(actual).toEqual(specified))
}

const style = readFileSync(join(import.meta.dir, '../../web/theme.css'), 'utf8')

test('the bar at the top has the specified header height', () => {
  expect(/--bar: (\d+)px/.exec(style)?.[1]).toBe(String(limits.headerHeight))
})

test('header and footer of a paged gallery take 105 pixels', () => {
  const pager = readFileSync(join(import.meta.dir, '../../web/app.css'), 'utf8')
  const footer = Number(/\.pager \{ height: (\d+)px/.exec(pager)?.[1])
  expect(limits.headerHeight + footer).toBe(105)
})

test('each colour of a year is defined and differs from the others', () => {
  const colours = new Map([...style.matchAll(/--year-(\d+): ([^;]+);/g)].map(([, number, colour]) => [number, colour]))
  expect([...colours.keys()].map(Number)).toEqual(Array.from({ length: limits.yearColours }, (_, at) => at + 1))
  expect(new Set(colours.values()).size).toBe(limits.yearColours)
})

test('every constant of the file manager is used by its pages', async () => {
  const root = join(import.meta.dir, '../..')
  const pages = [...new Bun.Glob('web/file-manager/**/*.{ts,tsx}').scanSync({ cwd: root })]
  const code = (await Promise.all(pages.map(path => Bun.file(join(root, path)).text()))).join('\n')
  const unused = Object.keys(fileWidget).filter(key => !new RegExp(`\\bfileWidget\\.${key}\\b`).test(code))
  expect(unused).toEqual([])
})
