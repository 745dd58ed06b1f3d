import { t } from '@lingui/core/macro'
import { useId, useState, type KeyboardEvent } from 'react'
import { FieldFrame, type FrameProps } from './field-frame.tsx'
import fields from './field.module.css'
import styles from './combobox-field.module.css'
import { isReactImeKey } from './ime-key.ts'
import { scrollIntoList } from './into-view.ts'

const MOST_SHOWN = 50

interface ComboboxFieldProps extends FrameProps {
  value: string
  /** Suggestions. Other texts may be typed too. */
  options: readonly string[]
  onChange: (value: string) => void
  /** A suggestion was chosen, Enter was pressed, or the field lost the focus. */
  onCommit?: (value: string) => void
  placeholder?: string
  maxLength?: number
}

/**
 * A text field with suggestions. Arrow keys choose one, Enter takes it, Escape closes the list.
 * @see https://www.w3.org/WAI/ARIA/apg/patterns/combobox/
 */
export function ComboboxField({
  value,
  options,
  onChange,
  onCommit,
  placeholder,
  maxLength,
  ...frame
}: ComboboxFieldProps) {
  const list = useId()
  const [open, setOpen] = useState(false)
  const [active, setActive] = useState(-1)
  const found = matchingOptions(options, value).slice(0, MOST_SHOWN)
  const shown = open && found.length > 0
  const chosen = shown ? found[active] : undefined
  const show = (to: number) => {
    setOpen(to >= 0)
    setActive(to)
  }
  const take = (option: string) => {
    setOpen(false)
    setActive(-1)
    onChange(option)
    onCommit?.(option)
  }
  const pressed = (event: KeyboardEvent) => {
    if (isReactImeKey(event)) return
    const { key } = event
    if (key === 'ArrowDown' && found.length > 0) show(shown ? (active + 1) % found.length : 0)
    else if (key === 'ArrowUp' && found.length > 0) show(active > 0 ? active - 1 : found.length - 1)
    else if (key === 'Escape' && shown) show(-1)
    else if (key === 'Enter' && (chosen !== undefined || onCommit)) take(chosen ?? value)
    else return
    event.preventDefault()
  }
  return (
    <FieldFrame {...frame}>
      {(control) => (
        <div className={styles.place}>
          <input
            className={fields.input}
            role="combobox"
            aria-expanded={shown}
            aria-controls={list}
            aria-autocomplete="list"
            {...(chosen !== undefined && { 'aria-activedescendant': `${list}-${String(active)}` })}
            autoComplete="off"
            autoCapitalize="none"
            spellCheck={false}
            placeholder={placeholder}
            maxLength={maxLength}
            value={value}
            onChange={({ target }) => {
              onChange(target.value)
              setOpen(true)
              setActive(-1)
            }}
            onClick={() => setOpen(true)}
            onKeyDown={pressed}
            onBlur={() => {
              show(-1)
              onCommit?.(value)
            }}
            {...control}
          />
          {shown && (
            <ul className={styles.list} id={list} role="listbox" aria-label={t`Suggestions`}>
              {found.map((option, at) => (
                <li
                  key={option}
                  id={`${list}-${String(at)}`}
                  ref={at === active ? scrollIntoList : undefined}
                  className={styles.option}
                  role="option"
                  aria-selected={at === active}
                  // The press must not take the focus from the text field.
                  onMouseDown={(event) => event.preventDefault()}
                  onClick={() => take(option)}
                >
                  {option}
                </li>
              ))}
            </ul>
          )}
        </div>
      )}
    </FieldFrame>
  )
}

/** All options if the text is empty or one of them, otherwise those that contain it. */
function matchingOptions(options: readonly string[], text: string): readonly string[] {
  const wanted = text.trim().toLocaleLowerCase()
  if (wanted === '' || options.includes(text)) return options
  return options.filter((option) => option.toLocaleLowerCase().includes(wanted))
}
