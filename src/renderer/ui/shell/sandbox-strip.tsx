import { FlaskConical } from 'lucide-react'
import { useLayoutEffect } from 'react'
import { useFaults } from '../fault-store.ts'
import { useStatus } from '../status-store.ts'
import styles from './sandbox-strip.module.css'

/** The permanent mark of the sandbox: from the trust set in use, and from nothing else. */
export function SandboxStrip() {
  const sandbox = useStatus((state) => state.status?.service.trust === 'sandbox')
  const faults = useFaults((state) => state.on.length)
  // Dialogs open below the mark: nothing ever covers it.
  useLayoutEffect(() => {
    document.documentElement.toggleAttribute('data-sandbox', sandbox)
  }, [sandbox])
  if (!sandbox) return null
  return (
    <aside className={styles.strip} aria-label="Sandbox">
      <span className={styles.word}><FlaskConical size={14} strokeWidth={2} aria-hidden />Sandbox</span>
      <span className={styles.says}>A pretended service on this machine: its own roots, no real model, no real money.</span>
      {faults > 0 && <a className={styles.drill} href="#/privacy">Fire drill: {faults === 1 ? 'one fault is on' : `${faults} faults are on`}</a>}
    </aside>
  )
}
