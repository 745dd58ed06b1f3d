import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { X } from 'lucide-react'
import { useEffect, useRef } from 'react'
import { Button, IconButton } from '../../../ui/button.tsx'
import { CopyButton } from '../../../ui/copy-button.tsx'
import frame from '../artifacts/artifact-panel.module.css'
import { showPassage, usePassages } from './passage-store.ts'
import { placeWords } from './passage-words.ts'
import styles from './passages.module.css'

/** A passage next to the chat: its file, its place there, and its text as it was sent. */
export function PassagePanel() {
  const open = usePassages((state) => state.shown)
  const heading = useRef<HTMLHeadingElement>(null)
  useEffect(() => heading.current?.focus(), [open])
  const { passages = [], index = 0 } = open ?? {}
  const passage = passages[index]
  if (!passage) return null
  const { document, place, text } = passage
  const [number, count] = [index + 1, passages.length]
  return (
    <section
      className={frame.panel}
      data-passage
      aria-labelledby="passage-title"
      onKeyDown={(event) => {
        if (event.key !== 'Escape' || event.defaultPrevented) return
        event.preventDefault()
        showPassage(undefined)
      }}
    >
      <header className={frame.head}>
        <h2 id="passage-title" ref={heading} tabIndex={-1} dir="auto">
          {document}
        </h2>
        <IconButton label={t`Close`} onClick={() => showPassage(undefined)}>
          <X size={16} strokeWidth={1.75} aria-hidden />
        </IconButton>
      </header>
      <div className={styles.content} tabIndex={0} role="region" aria-label={t`Passage`}>
        <p className={styles.place}>{placeWords(place)}</p>
        <p className={styles.text} dir="auto">
          {text}
        </p>
      </div>
      <footer className={frame.foot}>
        <Button disabled={index === 0} onClick={() => showPassage({ passages, index: index - 1 })}>
          <Trans>Previous passage</Trans>
        </Button>
        <Button disabled={number === count} onClick={() => showPassage({ passages, index: index + 1 })}>
          <Trans>Next passage</Trans>
        </Button>
        <CopyButton label={t`Copy passage`} word text={() => text} />
        <p className={frame.note}>
          <Trans>
            Passage {number} of {count}, as it was sent.
          </Trans>
        </p>
      </footer>
    </section>
  )
}
