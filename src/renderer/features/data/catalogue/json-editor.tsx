import { t } from '@lingui/core/macro'
import { useEffect, useId, useRef } from 'react'
import { Button } from '../../../ui/button.tsx'
import styles from './json-editor.module.css'
import type { JsonFault } from './json-place.ts'

interface JsonEditorProps {
  label: string
  hint: string
  value: string
  onChange: (value: string) => void
  fault: JsonFault | undefined
}

/**
 * A text area with line numbers, which shows the position of a fault. An editor with more features would be
 * larger than the view that contains it, for texts of a few lines. Tab leaves the text area.
 */
export function JsonEditor({ label, hint, value, onChange, fault }: JsonEditorProps) {
  const id = useId()
  const area = useRef<HTMLTextAreaElement>(null)
  const numbers = useRef<HTMLDivElement>(null)
  const count = value.split('\n').length
  useEffect(() => {
    if (area.current && numbers.current) numbers.current.scrollTop = area.current.scrollTop
  }, [count])
  const showFault = () => {
    if (!fault || !area.current) return
    area.current.focus()
    area.current.setSelectionRange(fault.at, Math.min(value.length, fault.at + 1))
    const lineHeight = area.current.scrollHeight / Math.max(1, count)
    area.current.scrollTop = Math.max(0, (fault.line - 3) * lineHeight)
  }
  const lines = Array.from({ length: Math.min(count, 5000) }, (_, at) => at + 1)
  return (
    <div className={styles.field}>
      <label className={styles.label} htmlFor={id}>
        {label}
      </label>
      <div className={styles.editor} data-fault={fault !== undefined}>
        <div ref={numbers} className={styles.numbers} aria-hidden>
          {lines.map((line) => (
            <span key={line} className={line === fault?.line ? styles.wrong : undefined}>
              {line}
            </span>
          ))}
        </div>
        <textarea
          dir="ltr"
          ref={area}
          id={id}
          className={styles.area}
          value={value}
          onChange={(event) => onChange(event.target.value)}
          onScroll={(event) => {
            if (numbers.current) numbers.current.scrollTop = event.currentTarget.scrollTop
          }}
          rows={Math.max(6, Math.min(18, count + 1))}
          wrap="off"
          spellCheck={false}
          autoComplete="off"
          autoCapitalize="none"
          maxLength={300_000}
          aria-invalid={fault !== undefined}
          aria-describedby={`${id}-hint${fault ? ` ${id}-fault` : ''}`}
        />
      </div>
      <p id={`${id}-hint`} className={styles.hint}>
        {hint}
      </p>
      {fault && (
        <p id={`${id}-fault`} className={styles.fault}>
          {t`Line ${fault.line}, column ${fault.column}: ${fault.message}`}{' '}
          <Button kind="link" onClick={showFault}>{t`Go to error`}</Button>
        </p>
      )}
    </div>
  )
}
