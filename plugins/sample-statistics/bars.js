/** Bars with their numbers, longest as wide as there is room. */
export function Bars({ host, rows }) {
  const h = host.React.createElement
  const most = Math.max(1, ...rows.map(row => row.count))
  return h(
    'ul',
    { className: 'sample-statistics-bars' },
    rows.map(({ name, count }) =>
      h(
        'li',
        { key: name },
        h('span', null, name),
        h('meter', { min: 0, max: most, value: count, 'aria-label': `${name}: ${count}` }),
        h('span', null, count.toLocaleString()),
      ),
    ),
  )
}
