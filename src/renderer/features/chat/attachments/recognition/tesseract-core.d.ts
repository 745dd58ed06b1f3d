/** The part of Tesseract's WebAssembly module that the recognition uses. The package has no types. */
declare module 'tesseract.js-core/tesseract-core-simd-lstm.js' {
  interface TesseractApi {
    /** @returns -1 if the language data can't be used */
    Init(dataPath: null, language: string, engine: number): number
    SetVariable(name: string, value: string): boolean
    /** Reads `/input`. @returns 1 if it isn't an image */
    SetImageFile(orientation: number, angle: number): number
    Recognize(monitor: null): number
    GetUTF8Text(): string
  }

  export interface TesseractCore {
    readonly FS: { writeFile(path: string, content: Uint8Array): void }
    readonly TessBaseAPI: new () => TesseractApi
  }

  // eslint-disable-next-line no-restricted-syntax -- the package has only a default export
  export default function createCore(options: {
    readonly wasmBinary: ArrayBuffer
    /** Of one image, in percent. */
    readonly TesseractProgress: (percent: number) => void
    readonly print: (line: string) => void
    readonly printErr: (line: string) => void
  }): Promise<TesseractCore>
}
