import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import type { ReactNode } from 'react'
import { create } from 'zustand'
import { classNames } from '../../ui/class-names.ts'
import { CopyButton } from '../../ui/copy-button.tsx'
import { useLanguage } from '../../ui/language/language.ts'
import styles from './code-block.module.css'
import { withoutPrompts } from './without-prompts.ts'

/** How code is shown, in every block alike. */
export const useCodeView = create<{ readonly wrap: boolean; readonly numbers: boolean }>()(() => ({
  wrap: false,
  numbers: false,
}))

function toggleCodeView(part: 'wrap' | 'numbers'): void {
  useCodeView.setState((view) => ({ [part]: !view[part] }))
}

export interface FrameProps {
  readonly language: string
  /** The code, or what returns it when it is copied. */
  readonly text: string | (() => string)
  /** Shows the code as a document next to the chat. */
  readonly open?: () => void
  /** The code has characters that change the order of its letters. */
  readonly turned?: boolean
  /** What the code draws. */
  readonly drawing?: Drawing
  readonly children: ReactNode
}

/** It lies over the code, in a box whose size doesn't depend on it: nothing moves when it arrives or is hidden. */
interface Drawing {
  readonly shown: boolean
  readonly buttons: ReactNode
  readonly content: ReactNode
}

/** Code with the name of its language, view options and a copy button. */
export function CodeFrame({ language, text, open, turned = false, drawing, children }: FrameProps) {
  useLanguage()
  const { wrap, numbers } = useCodeView()
  const code = (
    <pre
      className={classNames(styles.code, wrap && styles.wrapped, numbers && styles.numbered)}
      tabIndex={0}
      aria-label={language ? t`Code, ${language}` : t`Code`}
    >
      {children}
    </pre>
  )
  return (
    <figure className={styles.frame}>
      <figcaption className={styles.head}>
        <span className={styles.language}>{language || t`text`}</span>
        {open && (
          <button type="button" className={styles.toggle} title={t`Open next to the chat`} onClick={open}>
            <Trans>Open</Trans>
          </button>
        )}
        {drawing?.buttons}
        {!drawing?.shown && (
          <>
            <Toggle
              on={wrap}
              press={() => toggleCodeView('wrap')}
              hint={t`Wrap long lines`}
            >{t`Wrap`}</Toggle>
            <Toggle
              on={numbers}
              press={() => toggleCodeView('numbers')}
              hint={t`Show line numbers`}
            >{t`Line numbers`}</Toggle>
          </>
        )}
        <CopyButton
          label={t`Copy code`}
          word
          text={() => withoutPrompts(language, typeof text === 'string' ? text : text())}
        />
      </figcaption>
      {turned && (
        <p className={styles.turned} role="note">
          <Trans>
            This code contains characters that change text direction. They’re shown by name and have no effect
            here.
          </Trans>
        </p>
      )}
      {drawing ? (
        <div className={styles.drawing} data-shown={drawing.shown}>
          {code}
          {drawing.content}
        </div>
      ) : (
        code
      )}
    </figure>
  )
}

/** A button of the frame's head. */
export function Toggle({
  on,
  press,
  hint,
  children,
}: {
  on: boolean
  press: () => void
  hint: string
  children: string
}) {
  return (
    <button type="button" className={styles.toggle} aria-pressed={on} title={hint} onClick={press}>
      {children}
    </button>
  )
}
