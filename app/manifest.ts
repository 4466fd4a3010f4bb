import type { MetadataRoute } from "next";

/** Lets browsers install the desk as an app; it opens at the seller that the user opened last. */
export default function manifest(): MetadataRoute.Manifest {
  return {
    name: "Duebook",
    short_name: "Duebook",
    id: "/",
    start_url: "/",
    scope: "/",
    display: "standalone",
    background_color: "#f8f8fa",
    theme_color: "#4636c4",
    icons: [
      { src: "/app-192.png", sizes: "192x192", type: "image/png" },
      { src: "/app-512.png", sizes: "512x512", type: "image/png" },
      { src: "/app-maskable.png", sizes: "512x512", type: "image/png", purpose: "maskable" },
    ],
  };
}
