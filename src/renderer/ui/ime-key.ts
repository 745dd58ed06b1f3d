/** `keyCode` of a key that an input method handles (UI Events, section 7.3.1, "Keyboard Event Properties"). */
const IME_KEY_CODE = 229

interface KeyPress {
  readonly isComposing: boolean
  readonly keyCode: number
}

/**
 * Whether a key belongs to an input method, such as the Enter that accepts a word in Japanese. It never acts on the window.
 *
 * Safari ends the composition before it reports this key, so `isComposing` is false there. Only the old `keyCode` tells.
 *
 * @param event the browser's own event
 */
function isImeKey(event: KeyboardEvent): boolean {
  // The type of the event marks `keyCode` as deprecated, and there is no other way.
  const { isComposing, keyCode }: KeyPress = event
  return isComposing || keyCode === IME_KEY_CODE
}

/** The same for an event of React. */
export function isReactImeKey({ nativeEvent }: { readonly nativeEvent: KeyboardEvent }): boolean {
  return isImeKey(nativeEvent)
}
