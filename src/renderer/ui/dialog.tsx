import { t } from '@lingui/core/macro'
import { X } from 'lucide-react'
import { Dialog as Radix } from 'radix-ui'
import type { ReactNode } from 'react'
import { IconButton } from './button.tsx'
import { classNames } from './class-names.ts'
import { useDialogStack } from './dialog-stack.ts'
import styles from './dialog.module.css'
import { isImeKey } from './ime-key.ts'
import { useReturnFocus } from './use-return-focus.ts'

/*
 * The shade is a separate element, because Radix's overlay locks scrolling with a style element. The content security
 * policy refuses that element, and the page behind doesn't scroll anyway.
 */

interface DialogProps {
  open: boolean
  onClose: () => void
  title: string
  /** One sentence below the title. */
  says?: ReactNode
  /** Interrupts: a press outside doesn't close it. */
  alert?: boolean
  /** Has input that would be lost: a press outside doesn't close it either. */
  persistent?: boolean
  wide?: boolean
  /** At the side of the window, over its whole height. */
  sheet?: boolean
  /** While it's open, only this dialog is printed. */
  printed?: boolean
  children: ReactNode
}

export function Dialog({
  open,
  onClose,
  title,
  says,
  alert = false,
  persistent = alert,
  wide = false,
  sheet = false,
  printed = false,
  children,
}: DialogProps) {
  const returnFocus = useReturnFocus(open)
  useDialogStack(open, onClose)
  return (
    <Radix.Root
      open={open}
      onOpenChange={(next) => {
        if (!next) onClose()
      }}
    >
      <Radix.Portal>
        <div className={classNames(styles.shade, sheet && styles.aside)} data-printed={printed || undefined}>
          <Radix.Content
            className={classNames(styles.dialog, wide && styles.wide, sheet && styles.sheet)}
            {...returnFocus}
            onOpenAutoFocus={focusFirstField}
            role={alert ? 'alertdialog' : 'dialog'}
            aria-modal
            {...(says === undefined ? { 'aria-describedby': undefined } : {})}
            // Escape first ends the composition of an input method, or closes the suggestions of a field.
            onEscapeKeyDown={(event) => {
              if (isImeKey(event) || isSuggesting(event.target)) event.preventDefault()
            }}
            onInteractOutside={(event) => {
              if (persistent) event.preventDefault()
            }}
          >
            <header className={styles.head}>
              <Radix.Title className={styles.title}>{title}</Radix.Title>
              <Radix.Close asChild>
                <IconButton label={t`Close`}>
                  <X size={16} strokeWidth={1.75} aria-hidden />
                </IconButton>
              </Radix.Close>
            </header>
            {says !== undefined && <Radix.Description className={styles.says}>{says}</Radix.Description>}
            {children}
          </Radix.Content>
        </div>
      </Radix.Portal>
    </Radix.Root>
  )
}

/** Focuses the first field if no element took the focus automatically, because fields come before the close button. */
function focusFirstField(event: Event): void {
  if (!(event.currentTarget instanceof HTMLElement)) return
  const field = event.currentTarget.querySelector(
    ':is(input:not([type=radio], [type=checkbox], [hidden]), select, textarea, [data-file-place] button):enabled',
  )
  if (!(field instanceof HTMLElement)) return
  event.preventDefault()
  field.focus()
}

function isSuggesting(target: EventTarget | null): boolean {
  return target instanceof Element && target.matches('[aria-autocomplete="list"][aria-expanded="true"]')
}

/** The buttons at the end of a dialog. The main action comes last. */
export function DialogActions({ children }: { children: ReactNode }) {
  return <footer className={styles.actions}>{children}</footer>
}
