/** CHANGELOG.md as it was when the window was built (build/window-plugins.ts). */
declare module '#changelog' {
  export const text: string
}
