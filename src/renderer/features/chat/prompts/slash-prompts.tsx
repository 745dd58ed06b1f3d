import { plural, t } from '@lingui/core/macro'
import { useCallback, useEffect, useId, useMemo, useState, type KeyboardEvent } from 'react'
import { announce } from '../../../ui/announcer.tsx'
import { isReactImeKey } from '../../../ui/ime-key.ts'
import { examplePrompts } from './examples.ts'
import { fillIn, useSlash } from './slash-store.ts'
import styles from './prompts.module.css'
import { loadPrompts, showPromptLibrary, usePrompts } from './prompt-store.ts'

const MOST_SHOWN = 50

interface Option {
  readonly id: string
  readonly name: string
  readonly description: string
  readonly choose: () => void
}

interface SlashPromptsProps {
  /** Begins with the slash. */
  text: string
  /** In place of the text. */
  insert: (text: string) => void
}

/** Prompts that match the text after the slash. The field keeps the focus and passes on arrows, Enter and Escape. */
export function SlashPrompts({ text, insert }: SlashPromptsProps) {
  const listId = useId()
  const prompts = usePrompts((state) => state.prompts)
  const [chosen, setChosen] = useState({ wanted: '', at: 0 })
  useEffect(() => {
    if (usePrompts.getState().prompts === undefined) void loadPrompts()
  }, [])
  const wanted = text.slice(1)
  const options = useMemo(() => optionsFor(prompts ?? [], wanted, insert), [prompts, wanted, insert])
  const shown = Math.min(chosen.wanted === wanted ? chosen.at : 0, options.length - 1)
  const setActive = useCallback((at: number) => setChosen({ wanted, at }), [wanted])
  const activeId = options.length === 0 ? undefined : `${listId}-${String(shown)}`
  useEffect(() => {
    if (options.length > 0)
      announce(
        plural(options.length, {
          one: '# prompt. Press Enter to use it or Escape to keep your text.',
          other: '# prompts. Use the arrow keys to choose, Enter to use one, or Escape to keep your text.',
        }),
      )
  }, [options.length])
  useEffect(() => {
    if (activeId !== undefined) document.getElementById(activeId)?.scrollIntoView({ block: 'nearest' })
    const take = (event: KeyboardEvent): boolean => {
      if (options.length === 0 || isReactImeKey(event) || event.ctrlKey || event.metaKey || event.altKey)
        return false
      switch (event.key) {
        case 'ArrowDown':
          setActive((shown + 1) % options.length)
          break
        case 'ArrowUp':
          setActive((shown - 1 + options.length) % options.length)
          break
        case 'Enter':
          if (event.shiftKey) return false
          options[shown]?.choose()
          break
        case 'Tab':
          if (event.shiftKey) return false
          options[shown]?.choose()
          break
        case 'Escape':
          useSlash.setState({ dismissed: true })
          break
        default:
          return false
      }
      event.preventDefault()
      return true
    }
    useSlash.setState({ list: options.length === 0 ? undefined : { listId, activeId, take } })
    return () => useSlash.setState({ list: undefined })
  }, [activeId, listId, options, setActive, shown])
  if (options.length === 0) return null
  return (
    <div
      className={styles.slash}
      role="listbox"
      id={listId}
      aria-label={t`Prompts`}
      // In a low window it scrolls, and Chromium lets the keyboard focus what scrolls.
      tabIndex={0}
    >
      {options.map(({ id, name, description, choose }, at) => (
        <div
          key={id}
          id={`${listId}-${String(at)}`}
          className={styles.option}
          role="option"
          aria-selected={at === shown}
          onPointerMove={() => setActive(at)}
          // The field keeps the focus.
          onPointerDown={(event) => event.preventDefault()}
          onClick={choose}
        >
          <span className={styles.name} dir="auto">
            {name}
          </span>
          <span className={styles.text} dir="auto">
            {description}
          </span>
        </div>
      ))}
    </div>
  )
}

function optionsFor(
  prompts: readonly { readonly id: string; readonly name: string; readonly text: string }[],
  wanted: string,
  insert: (text: string) => void,
): Option[] {
  const terms = wanted.toLocaleLowerCase().split(/\s+/).filter(Boolean)
  const known =
    prompts.length > 0 ? prompts : examplePrompts().map((example) => ({ id: example.name, ...example }))
  const found = known.filter(({ name }) => terms.every((word) => name.toLocaleLowerCase().includes(word)))
  const first = terms[0] ?? ''
  const begins = (name: string): number => (name.toLocaleLowerCase().startsWith(first) ? 0 : 1)
  const options = found
    .toSorted((a, b) => begins(a.name) - begins(b.name))
    .slice(0, MOST_SHOWN)
    .map((prompt): Option => ({
      id: prompt.id,
      name: prompt.name,
      description: prompt.text.slice(0, 200).replace(/\s+/g, ' '),
      choose: () => fillIn(prompt, insert),
    }))
  // After a typed word, list only matching prompts, because any other text that begins with a slash is a message.
  return terms.length > 0
    ? options
    : [
        ...options,
        {
          id: '/',
          name: t`All prompts…`,
          description: t`Create, edit, import, and export prompts`,
          choose: () => {
            insert('')
            showPromptLibrary(true)
          },
        },
      ]
}
