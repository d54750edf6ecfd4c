/** The screen of the sample plugin, and its entry in the menu. */
import { Bars } from './bars.js'

function Years({ host, years }) {
  return host.React.createElement(Bars, { host, rows: years.map(({ year, count }) => ({ name: String(year), count })) })
}

function Cameras({ host }) {
  const { React } = host
  const h = React.createElement
  const [answer, setAnswer] = React.useState(null)
  const [progress, setProgress] = React.useState(null)
  const [fault, setFault] = React.useState('')
  const task = React.useRef(null)
  // Whoever leaves the screen does not wait for the report any more.
  React.useEffect(() => () => task.current?.cancel(), [])

  async function count() {
    setFault('')
    setProgress({ done: 0, total: null })
    try {
      task.current = await host.start('cameras', {}, setProgress)
      setAnswer(await task.current.result)
    } catch (error) {
      setFault(error.message)
    }
    task.current = null
    setProgress(null)
  }

  return h(
    'div',
    null,
    h('h2', null, 'Cameras'),
    fault === '' ? null : h('p', { role: 'alert' }, fault),
    progress === null
      ? h('button', { type: 'button', className: 'btn', onClick: count }, 'Count cameras')
      : h('progress', { value: progress.done, max: progress.total ?? undefined, 'aria-label': 'Counting cameras' }),
    answer === null
      ? null
      : h(Bars, { host, rows: answer.cameras.map(({ camera, count: n }) => ({ name: camera, count: n })) }),
  )
}

function Statistics({ host }) {
  const { React } = host
  const h = React.createElement
  const [answer, setAnswer] = React.useState({ title: '', years: [] })
  const [fault, setFault] = React.useState('')
  React.useEffect(() => {
    host.rpc('years').then(setAnswer, error => setFault(error.message))
  }, [host])
  return h(
    'section',
    { className: 'sample-statistics' },
    h('h1', null, answer.title),
    fault === '' ? null : h('p', { role: 'alert' }, fault),
    h(Years, { host, years: answer.years }),
    h(Cameras, { host }),
  )
}

export function register(host) {
  host.style('screen.css')
  host.routes.add({ path: '', title: 'Statistics', component: Statistics })
  host.menu.add({ label: 'Statistics', path: '' })
}
