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
  // Dialogs open below the mark: nothing ever covers it.
  useLayoutEffect(() => {
    document.documentElement.toggleAttribute('data-sandbox', sandbox)
  }, [sandbox])
  if (!sandbox) return null
  return (
    <aside className={styles.strip} aria-label="Sandbox">
      <span className={styles.word}><FlaskConical size={14} strokeWidth={2} aria-hidden />Sandbox</span>
      <span className={styles.says}>A pretended service on this machine: its own roots, no real model, no real money.</span>
      {drill + routes > 0 && <a className={styles.drill} href={routes > 0 ? '#/settings' : '#/privacy'}>{whatIsOn(drill, routes)}</a>}
    </aside>
  )
}

function whatIsOn(drill: number, routes: number): string {
  const told = `${routes} ${routes === 1 ? 'route' : 'routes'}`
  if (drill === 0) return `Faults: ${told}`
  if (routes > 0) return `Faults: ${told}, ${drill} drill`
  return `Fire drill: ${drill === 1 ? 'one fault is on' : `${drill} faults are on`}`
}
