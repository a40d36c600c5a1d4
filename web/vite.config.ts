import { defineConfig } from "vite";

// Names without hashes: the files are bytes of the program, and nothing is cached.
export default defineConfig({
  base: "/",
  esbuild: { jsx: "automatic", jsxImportSource: "preact" },
  build: {
    target: "es2022",
    // A little smaller than with esbuild: all pages stay under 40 KB as they travel compressed.
    minify: "terser",
    terserOptions: { module: true, compress: { passes: 3 } },
    modulePreload: false,
    assetsInlineLimit: 0,
    rollupOptions: { output: { entryFileNames: "viewer.js", chunkFileNames: "[name].js", assetFileNames: "[name][extname]" } },
  },
});
