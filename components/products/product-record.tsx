"use client";

import { useQueryClient } from "@tanstack/react-query";
import { useLocale, useTranslations } from "next-intl";
import { useParams, useSearchParams } from "next/navigation";
import type { ReactNode } from "react";
import { RecordPage, useCachedQuery } from "#components/list/query-state.tsx";
import { PageHeader } from "#components/shell/page-header.tsx";
import { ScopedLink, usePermission, useScope } from "#components/context/seller-context.tsx";
import { buttonClass } from "#components/ui/button-class.ts";
import { CircleCheck, PackageX } from "#components/ui/icons.tsx";
import { Notice, StatePanel } from "#components/ui/notice.tsx";
import type { Failure } from "#lib/failure.ts";
import { findListedProduct, productQuery } from "#lib/products/queries.ts";
import type { Product } from "#contract/products.ts";
import { RawJsonButton } from "#components/list/raw-json.tsx";
import { Day } from "#components/values/day.tsx";
import { Card, CardTitle } from "#components/ui/card.tsx";
import { DetailRow } from "#components/ui/detail-row.tsx";
import { localizeDigits } from "#lib/format/format.ts";
import { isOnSale } from "#lib/products/rules.ts";
import type { Translate } from "#lib/i18n/message.ts";
import { ProductActions } from "./product-actions.tsx";
import { ProductPlans } from "./product-plans.tsx";
import { ProductStateBadge } from "./product-state-badge.tsx";
import { ProductImage } from "./product-image.tsx";

interface ProductDetailPageProps {
  failure: Failure | null;
  /** Whether the person can change the product here. */
  canEdit?: boolean;
  /**
   * Whether the server renders the page: it shows what the cache or a list holds, or a skeleton.
   */
  isPlaceholder?: boolean;
  /** The product's subscriptions. */
  children?: ReactNode;
}

export function ProductDetailPage({
  failure,
  canEdit = false,
  isPlaceholder = false,
  children,
}: ProductDetailPageProps) {
  const t = useTranslations("products");
  const { id } = useParams<{ id: string }>();
  const scope = useScope();
  const queryClient = useQueryClient();
  const placeholderData = () => findListedProduct(queryClient, scope, id);
  const query = useCachedQuery({ ...productQuery(scope, id), placeholderData }, isPlaceholder);
  return (
    <RecordPage
      back={{ href: "/products", label: t("title") }}
      heading={t("one")}
      query={query}
      failure={failure}
      isPlaceholder={isPlaceholder}
    >
      {({ product, is_complete, today }) =>
        product ? (
          <>
            <PageHeader
              title={<span className="wrap-anywhere">{product.name || t("noName")}</span>}
              aside={<ProductStateBadge product={product} />}
              action={canEdit && <ProductActions product={product} />}
            />
            <AddedNotice product={product} />
            <div className="grid items-start gap-4 wrap-anywhere lg:grid-cols-[minmax(0,1fr)_22rem]">
              <div className="min-w-0">
                <ProductPlans {...{ product, today }} />
                {children}
              </div>
              <ProductDetails product={product} />
            </div>
          </>
        ) : (
          <Unlisted isComplete={is_complete} />
        )
      }
    </RecordPage>
  );
}

/** After a product was added: the next step. */
function AddedNotice({ product }: { product: Product }) {
  const t = useTranslations("products");
  const mayCreate = usePermission("subscriptions:create");
  const isAdded = useSearchParams().get("added") !== null;
  const period = product.plan
    .flatMap(({ billing_periods }) => billing_periods)
    .find((one) => isOnSale(product, one));
  return (
    <div role="status" className="empty:sr-only">
      {isAdded && period && (
        <Notice icon={CircleCheck} className="mb-4 sm:items-center!">
          <div className="flex flex-wrap items-center justify-between gap-x-4 gap-y-2">
            <p>{t("form.added.text", { name: product.name || t("noName") })}</p>
            {mayCreate && (
              <ScopedLink
                href={`/subscriptions/new?pbp_id=${encodeURIComponent(period.pbp_id)}`}
                className={buttonClass("primary")}
              >
                {t("form.added.create")}
              </ScopedLink>
            )}
          </div>
        </Notice>
      )}
    </div>
  );
}

function Unlisted({ isComplete }: { isComplete: boolean }) {
  const t = useTranslations("products");
  return (
    <>
      <h1 className="sr-only">{t("one")}</h1>
      <StatePanel
        icon={PackageX}
        title={t("unlisted.title")}
        text={t(isComplete ? "unlisted.complete" : "unlisted.incomplete")}
        action={
          <ScopedLink href="/products" className={buttonClass()}>
            {t("seeAll")}
          </ScopedLink>
        }
      />
    </>
  );
}

function ProductDetails({ product }: { product: Product }) {
  const t = useTranslations("products");
  const language = useLocale();
  const { name, vat, product_image } = product;
  const images = product_image.toSorted((a, b) => a.image_order - b.image_order);
  return (
    <div className="grid min-w-0 gap-4">
      <Card className="p-4 sm:p-5">
        <CardTitle>{t("details.title")}</CardTitle>
        <ul aria-label={t("details.images")} className="mt-3 flex flex-wrap gap-2 empty:hidden">
          {images.map(({ image }, at) => (
            <li key={`${at} ${image}`}>
              <ProductImage
                url={image}
                name={name}
                alt={t("details.image", { at: at + 1, count: images.length })}
                size={80}
                className="size-20 text-xl"
              />
            </li>
          ))}
        </ul>
        <dl className="mt-3 grid gap-2">
          <DetailRow label={t("details.type")}>
            {product.type && (
              <span className="inline-block first-letter:uppercase">{product.type}</span>
            )}
          </DetailRow>
          <DetailRow label={t("details.subscribers")}>
            {localizeDigits(product.total_subscribers, language)}
          </DetailRow>
          <DetailRow label={t("details.vat")}>{vatWords(t, vat)}</DetailRow>
          <DetailRow label={t("details.images")}>
            {images.length > 0 && localizeDigits(String(images.length), language)}
          </DetailRow>
          <DetailRow label={t("details.created")}>
            {product.created_at && <Day iso={product.created_at} />}
          </DetailRow>
          <DetailRow label={t("details.updated")}>
            {product.updated_at && <Day iso={product.updated_at} />}
          </DetailRow>
          <DetailRow
            label={t("details.id")}
            action={<RawJsonButton isInRow kind="product" id={product.product_id} />}
          >
            <span className="font-mono text-xs break-all">{product.product_id}</span>
          </DetailRow>
        </dl>
      </Card>
      <Text title={t("details.description")}>{product.description}</Text>
      <Text title={t("details.features")}>{product.features_and_benefits}</Text>
      <Text title={t("details.terms")}>{product.terms_and_conditions}</Text>
    </div>
  );
}

function vatWords(
  t: Translate<"products">,
  { is_vat_active, vat_type: type, vat_percentage: percentage }: Product["vat"],
): string {
  if (!is_vat_active) return "";
  const known = (["inclusive", "exclusive"] as const).find((one) => one === type);
  return known
    ? t(`details.${known}`, { percentage })
    : t("details.otherVat", { percentage, type });
}

function Text({ title, children }: { title: string; children: string }) {
  const t = useTranslations("products");
  return (
    <Card className="p-4 sm:p-5">
      <CardTitle>{title}</CardTitle>
      <p className="mt-2 whitespace-pre-line text-muted">{children || t("details.none")}</p>
    </Card>
  );
}
