import type { ViewName } from '../route.ts'
import { viewNames } from './views.tsx'

const PRODUCT = 'Sotto'

interface Shown {
  readonly view: ViewName
  /** The name of the open chat or project, which is content of the person. */
  readonly name: string | undefined
  readonly isDesktop: boolean
}

/**
 * The title of the window or tab: the chat or project, or else the view. A browser writes the titles of its tabs to its
 * history on disk, so only the desktop app's window shows what the person named.
 */
export function windowTitle({ view, name, isDesktop }: Shown): string {
  return `${(isDesktop && name) || viewNames[view]} · ${PRODUCT}`
}

/** Shows the title until the returned function is called. The locked screen and the first start have only the name. */
export function showWindowTitle(title: string): () => void {
  document.title = title
  return () => {
    document.title = PRODUCT
  }
}
