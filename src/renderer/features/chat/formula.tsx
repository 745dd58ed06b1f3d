import { t } from '@lingui/core/macro'
import { memo, useLayoutEffect, useState, type ReactNode } from 'react'
import { useLanguage } from '../../ui/language/language.ts'
import { whenThereIsTime } from './frame-budget.ts'
import styles from './formula.module.css'

/** A formula. Its source is shown until it is drawn, and permanently if it can't be drawn. */
export const Formula = memo(function Formula({ tex, display }: { tex: string; display: boolean }) {
  const [drawn, setDrawn] = useState<{ readonly tex: string; readonly tree: ReactNode | undefined }>()
  useLayoutEffect(() => {
    let gone = false
    let abandon = () => {}
    const begin = (draw: Draw) => {
      if (!gone) abandon = whenThereIsTime(() => setDrawn({ tex, tree: draw(tex, display) }))
    }
    if (loaded) begin(loaded)
    else void load().then(begin, () => undefined)
    return () => {
      gone = true
      abandon()
    }
  }, [tex, display])
  const tree = drawn?.tex === tex ? drawn.tree : undefined
  if (tree === undefined) {
    const source = (
      <code className={styles.source} data-formula={drawn ? 'refused' : 'waiting'}>
        {display ? `$$${tex}$$` : `$${tex}$`}
      </code>
    )
    return display ? <span className={styles.display}>{source}</span> : source
  }
  // Arrow keys scroll it if it is wider than the reply.
  return display ? (
    <Display>{tree}</Display>
  ) : (
    <span className={styles.inline} data-formula="drawn">
      {tree}
    </span>
  )
})

function Display({ children }: { children: ReactNode }) {
  useLanguage()
  return (
    <span className={styles.display} data-formula="drawn" tabIndex={0} role="group" aria-label={t`Formula`}>
      {children}
    </span>
  )
}

type Draw = (tex: string, display: boolean) => ReactNode | undefined

let loaded: Draw | undefined
let loading: Promise<Draw> | undefined

/** Loads the code that draws formulas, once for all of them. */
function load(): Promise<Draw> {
  loading ??= import('./draw-formula.ts').then(({ drawFormula, copyWithLatex }) => {
    document.addEventListener('copy', copyWithLatex)
    return (loaded = drawFormula)
  })
  // A file that did not come is asked for again by the next formula.
  loading.catch(() => (loading = undefined))
  return loading
}
