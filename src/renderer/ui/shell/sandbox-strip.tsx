import { FlaskConical } from 'lucide-react'
import { useLayoutEffect } from 'react'
import { useFaults } from '../fault-store.ts'
import { useStatus } from '../status-store.ts'
import styles from './sandbox-strip.module.css'

/** The permanent mark of the sandbox: from the trust set in use, and from nothing else. */
export function SandboxStrip() {
  const sandbox = useStatus((state) => state.status?.service.trust === 'sandbox')
  const drill = useFaults((state) => state.on.length)
  const routes = useFaults((state) => state.routes?.filter(({ fault }) => fault !== null).length ?? 0)
  const wallet = useFaults((state) => state.wallet !== null)
  // Dialogs open below the mark: nothing ever covers it.
  useLayoutEffect(() => {
    document.documentElement.toggleAttribute('data-sandbox', sandbox)
  }, [sandbox])
  if (!sandbox) return null
  return (
    <aside className={styles.strip} aria-label="Sandbox">
      <span className={styles.word}><FlaskConical size={14} strokeWidth={2} aria-hidden />Sandbox</span>
      <span className={styles.says}>A pretended service on this machine: its own roots, no real model, no real money.</span>
      {(drill + routes > 0 || wallet) && <a className={styles.drill} href={routes > 0 || wallet ? '#/settings' : '#/privacy'}>{whatIsOn(drill, routes, wallet)}</a>}
    </aside>
  )
}

function whatIsOn(drill: number, routes: number, wallet: boolean): string {
  const told = [...(routes > 0 ? [`${routes} ${routes === 1 ? 'route' : 'routes'}`] : []), ...(wallet ? ['wallet'] : [])]
  if (told.length > 0) return `Faults: ${[...told, ...(drill > 0 ? [`${drill} drill`] : [])].join(', ')}`
  return `Fire drill: ${drill === 1 ? 'one fault is on' : `${drill} faults are on`}`
}
