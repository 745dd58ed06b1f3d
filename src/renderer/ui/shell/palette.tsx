import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { Dialog as Radix } from 'radix-ui'
import { useId, useState, type KeyboardEvent } from 'react'
import { useDialogStack } from '../dialog-stack.ts'
import hidden from '../hidden.module.css'
import { isReactImeKey } from '../ime-key.ts'
import { scrollIntoList } from '../into-view.ts'
import { useReturnFocus } from '../use-return-focus.ts'
import { useShortcut } from '../use-shortcut.ts'
import styles from './palette.module.css'
import { closePalette, findCommands, showPalette, usePalette, type Command } from './palette-store.ts'

interface PaletteProps {
  commands: readonly Command[]
  /** The chats, which are searched by title once something is typed. */
  chats: () => readonly Command[]
}

/** At most so many chats are listed after the commands. */
const MAX_CHATS = 8

/** Finds commands and chats by their names. */
export function Palette({ commands, chats }: PaletteProps) {
  const open = usePalette((state) => state.open)
  const returnFocus = useReturnFocus(open)
  useDialogStack(open, closePalette)
  useShortcut('palette', () => (usePalette.getState().open ? closePalette() : showPalette()))
  return (
    <Radix.Root open={open} onOpenChange={(next) => (next ? showPalette() : closePalette())}>
      <Radix.Portal>
        <div className={styles.shade}>
          <Radix.Content className={styles.palette} {...returnFocus} aria-describedby={undefined}>
            <Radix.Title className={hidden.hidden}>
              <Trans>Commands</Trans>
            </Radix.Title>
            <Search commands={commands} chats={chats} />
          </Radix.Content>
        </div>
      </Radix.Portal>
    </Radix.Root>
  )
}

function Search({ commands, chats }: PaletteProps) {
  const list = useId()
  const [question, setQuestion] = useState('')
  const [at, setAt] = useState(0)
  const foundChats = question.trim() === '' ? [] : findCommands(chats(), question).slice(0, MAX_CHATS)
  const foundCommands = findCommands(commands, question)
  const found = [...foundCommands, ...foundChats]
  const choose = (command: Command | undefined) => {
    if (!command) return
    closePalette()
    command.run()
  }
  const pressed = (event: KeyboardEvent) => {
    if (isReactImeKey(event)) return
    const step = event.key === 'ArrowDown' ? 1 : event.key === 'ArrowUp' ? -1 : 0
    if (step !== 0 && found.length > 0) {
      event.preventDefault()
      setAt((at + step + found.length) % found.length)
    }
    if (event.key === 'Enter') {
      event.preventDefault()
      choose(found[at])
    }
  }
  return (
    <>
      <input
        className={styles.search}
        value={question}
        onChange={(event) => {
          setQuestion(event.target.value)
          setAt(0)
        }}
        onKeyDown={pressed}
        placeholder={t`Search commands and chats`}
        aria-label={t`Search commands and chats`}
        role="combobox"
        aria-expanded="true"
        aria-controls={list}
        {...(found[at] ? { 'aria-activedescendant': `${list}-${at}` } : {})}
        autoFocus
        autoComplete="off"
        spellCheck={false}
      />
      <ul className={styles.list} id={list} role="listbox" aria-label={t`Commands`}>
        {found.map((command, index) => (
          <li
            key={command.id}
            id={`${list}-${index}`}
            role="option"
            aria-selected={index === at}
            className={styles.command}
            ref={index === at ? scrollIntoList : undefined}
            onPointerMove={() => setAt(index)}
            onClick={() => choose(command)}
          >
            <span dir="auto">{command.title}</span>
            {index >= foundCommands.length && (
              <span className={styles.kind}>
                <Trans>Chat</Trans>
              </span>
            )}
            {command.keys !== undefined && <kbd>{command.keys}</kbd>}
          </li>
        ))}
      </ul>
      {found.length === 0 && (
        <p className={styles.none} role="status">
          <Trans>No matches</Trans>
        </p>
      )}
    </>
  )
}
