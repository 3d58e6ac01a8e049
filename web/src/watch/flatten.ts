// SPDX-License-Identifier: MIT
//
// A board of the page as a self-contained SVG. On the page its look comes from style sheets; a file has none, so the
// computed styles are written into attributes.

import type { Layer } from "./film";

/** Inherited properties: written only where they change. */
const inherited = [
  "fill", "fill-opacity", "fill-rule", "stroke", "stroke-width", "stroke-opacity", "stroke-linecap", "stroke-linejoin",
  "stroke-dasharray", "font-family", "font-size", "font-weight", "text-anchor", "dominant-baseline", "paint-order", "color",
];

/** Not inherited: written where it is not the default. */
const own: Record<string, string[]> = {
  opacity: ["1"],
  "vector-effect": ["none"],
  "stop-color": ["rgb(0, 0, 0)"],
  "stop-opacity": ["1"],
};

/** Attributes without a meaning in a file. */
const dropped = /^(class|style|role|tabindex|aria-.*|data-.*|on.*)$/;

/** Other programs support little more than rgb(): mixed colours are computed. */
function makePlainColour(): (value: string) => string {
  const known = new Map<string, string>();
  const canvas = document.createElement("canvas");
  canvas.width = canvas.height = 1;
  const pen = canvas.getContext("2d", { willReadFrequently: true });
  const measure = (value: string): string => {
    if (pen === null) return value;
    pen.clearRect(0, 0, 1, 1);
    pen.fillStyle = value;
    pen.fillRect(0, 0, 1, 1);
    const [r = 0, g = 0, b = 0, a = 255] = pen.getImageData(0, 0, 1, 1).data;
    return a === 255 ? `rgb(${r}, ${g}, ${b})` : `rgba(${r}, ${g}, ${b}, ${(a / 255).toFixed(3)})`;
  };
  return (value) => {
    if (!/^(color|oklab|oklch|lab|lch|hwb|hsl)\(/.test(value)) return value;
    const plain = known.get(value) ?? measure(value);
    known.set(value, plain);
    return plain;
  };
}

const escaped = (value: string): string => value.replace(/&/g, "&amp;").replace(/"/g, "&quot;").replace(/</g, "&lt;");

type Values = Record<string, string>;

class Flattener {
  private readonly plainColour = makePlainColour();

  private values(element: Element): { style: CSSStyleDeclaration; handed: Values } {
    const style = getComputedStyle(element);
    const handed: Values = {};
    for (const name of inherited) handed[name] = this.plainColour(style.getPropertyValue(name));
    return { style, handed };
  }

  private attributes(element: Element, style: CSSStyleDeclaration, handed: Values, parent: Values): string {
    const out = new Map<string, string>();
    for (const { name, value } of element.attributes) if (!dropped.test(name)) out.set(name, value);
    for (const name of inherited) {
      const value = handed[name] ?? "";
      out.delete(name);
      if (value !== "" && value !== parent[name]) out.set(name, value);
    }
    for (const [name, standard] of Object.entries(own)) {
      const value = this.plainColour(style.getPropertyValue(name));
      out.delete(name);
      if (value !== "" && !standard.includes(value)) out.set(name, value);
    }
    return [...out].map(([name, value]) => ` ${name}="${escaped(value)}"`).join("");
  }

  /** An element with its content; "" if invisible. */
  markup(element: Element, parent: Values): string {
    if (element.tagName === "title" || element.tagName === "desc") return "";
    const { style, handed } = this.values(element);
    if (style.display === "none" || style.visibility === "hidden") return "";
    const open = `<${element.tagName}${this.attributes(element, style, handed, parent)}`;
    const inside = this.inside(element, handed);
    return inside === "" ? `${open}/>` : `${open}>${inside}</${element.tagName}>`;
  }

  private inside(element: Element, handed: Values): string {
    const parts = [...element.childNodes].map((node) => {
      if (node.nodeType === Node.TEXT_NODE) return escaped(node.textContent ?? "");
      return node instanceof Element ? this.markup(node, handed) : "";
    });
    return parts.join("");
  }

  /** A group at the top is a layer; anything else is one that has a single part. */
  layer(element: Element): Layer | null {
    if (element.tagName !== "g") {
      const markup = this.markup(element, {});
      return markup === "" ? null : { open: "<g>", parts: [markup] };
    }
    const { style, handed } = this.values(element);
    if (style.display === "none") return null;
    const parts = [...element.children].map((child) => this.markup(child, handed)).filter((part) => part !== "");
    return { open: `<g${this.attributes(element, style, handed, {})}>`, parts };
  }
}

export interface FlatPicture {
  viewBox: string;
  layers: Layer[];
}

export function flatten(svg: SVGSVGElement): FlatPicture {
  const flattener = new Flattener();
  const layers = [...svg.children].map((child) => flattener.layer(child)).filter((layer) => layer !== null);
  const { width, height } = svg.getBoundingClientRect();
  return { viewBox: svg.getAttribute("viewBox") ?? `0 0 ${width} ${height}`, layers };
}
