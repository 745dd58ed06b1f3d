/** `keyCode` of a key that an input method handles (UI Events, section 7.3.1, "Keyboard Event Properties"). */
const IME_KEY_CODE = 229

/**
 * Whether a key belongs to an input method, such as the Enter that accepts a word in Japanese. It never acts on the window.
 *
 * Safari ends the composition before it reports this key, so `isComposing` is false there. Only the old `keyCode` tells.
 *
 * @param event the browser's own event
 * @returns true if the window must ignore the key
 */
export function isImeKey(event: KeyboardEvent): boolean {
  // oxlint-disable-next-line typescript/no-deprecated -- no other member distinguishes this key
  return event.isComposing || event.keyCode === IME_KEY_CODE
}

/**
 * The same for an event of React, which has no `isComposing` itself.
 *
 * @param event React's event
 * @param event.nativeEvent the browser's event that React received
 * @returns true if the window must ignore the key
 */
export function isReactImeKey({ nativeEvent }: { readonly nativeEvent: KeyboardEvent }): boolean {
  return isImeKey(nativeEvent)
}
